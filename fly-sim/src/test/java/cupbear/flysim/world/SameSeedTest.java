// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.NoViewers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same seed and the same calls give the same world, down to ids, times and mishaps. */
class SameSeedTest {

  @Test
  void sameSeedAndSameCallsGiveTheSameWorld() {
    String first = history(11);
    assertThat(history(11)).isEqualTo(first);
    assertThat(history(12)).isNotEqualTo(first);
  }

  private static String history(long seed) {
    VirtualTime time = new VirtualTime();
    String chaos =
        """
        {"faults":[{"kind":"server_error","probability":0.3},
                   {"kind":"crash_loop","probability":0.3}]}
        """;
    World world =
        new World(
            new WorldSettings("acme", "pool", Stage.TOKENS, 1, seed, Switches.standard(), chaos),
            time,
            new NoViewers());
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      Call create =
          new Call(
              Action.CREATE,
              Map.of("app", "pool"),
              Map.of(),
              "Bearer " + Stage.TOKEN,
              "",
              "{\"region\":\"any\",\"config\":{\"image\":\"i\"}}");
      world.call(create).onSuccess(reply -> answers.append(time.now()).append(reply));
      time.pass(Duration.ofSeconds(20));
    }
    return answers + world.control(Order.DUMP, Map.of(), "", "").toString();
  }
}
