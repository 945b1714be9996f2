// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.FlySimConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A thousand started Machines with their viewers in one process. */
class ThousandMachinesIT {
  private static final int MACHINES = 1_000;
  private static final String ANY = "{\"config\":{\"image\":\"i\"}}";

  @Test
  void aThousandStartedMachinesWithViewers() throws Exception {
    try (Running running = new Running(FlySimConfig.standard().withSpeed(5_000))) {
      for (int i = 0; i < MACHINES; i++) {
        assertThat(running.app("POST", "/machines", ANY).status()).isEqualTo(200);
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> running.app("GET", "/machines?state=started", "").body().size() == MACHINES);
      Set<String> addresses = new HashSet<>();
      for (JsonNode machine : running.call("GET", "/sim/machines", "").body()) {
        addresses.add(machine.get("private_ip").asText() + machine.at("/sim/guacd_port"));
      }
      assertThat(addresses).hasSize(MACHINES);
    }
  }
}
