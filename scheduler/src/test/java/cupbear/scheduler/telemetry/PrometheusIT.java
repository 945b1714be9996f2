// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus with our rules on a real replica. */
class PrometheusIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void everyRuleHasSomethingToSayAndAShortageFiresAndResolves() throws IOException {
    Optional<Path> program = LocalPrometheus.program("prometheus");
    assumeTrue(program.isPresent(), "Prometheus is not installed (Debian: prometheus); not run");
    Path its = Files.createDirectory(folder.resolve("prometheus"));
    Telemetry telemetry = Telemetry.start(new Telemetry.Build("1", "abc", "25"), Map.of());
    try (Replica replica =
            new Replica(folder, telemetry, Declared.pool(Replica.POOL, 1, true, "iad"));
        LocalPrometheus prometheus =
            new LocalPrometheus(program.get(), its, replica.server.opsPort())) {
      await().atMost(SOON).until(prometheus::isReady);
      await().atMost(SOON).until(() -> prometheus.rules().stream().allMatch(this::isWell));
      for (JsonObject rule : prometheus.rules()) {
        if (!rule.getString("type").equals("recording")) continue;
        String name = rule.getString("name");
        await(name).atMost(SOON).until(() -> !prometheus.query(name).isEmpty());
      }
      await().atMost(SOON).until(() -> replica.warm("iad") >= 1);
      await().atMost(SOON).until(() -> !prometheus.isFiring("CupbearWarmBelowMin"));

      replica.yard.full = true;
      replica.pools.swap(List.of(Declared.pool(Replica.POOL, 9, true, "iad")));
      replica.telemetry.declared(replica.fleet, replica.board);
      await().atMost(SOON).until(() -> prometheus.isFiring("CupbearWarmBelowMin"));

      replica.pools.swap(List.of(Declared.pool(Replica.POOL, 1, true, "iad")));
      replica.telemetry.declared(replica.fleet, replica.board);
      await().atMost(SOON).until(() -> !prometheus.isFiring("CupbearWarmBelowMin"));
      assertThat(prometheus.rules()).allMatch(this::isWell);
    }
  }

  private boolean isWell(JsonObject rule) {
    return rule.getString("health").equals("ok");
  }
}
