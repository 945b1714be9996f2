// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of steps by several replicas, in any order; what is promised holds after each. */
class RandomWalkTest {
  private static final int STEPS = 3_000;

  @ParameterizedTest(name = "seed {0}, a store that keeps what it is told")
  @ValueSource(longs = {1, 2, 3, 4})
  @DisplayName("a store that keeps what it is told")
  void peaceful(long seed) {
    walk(seed, false);
  }

  @ParameterizedTest(name = "seed {0}, a store that is wiped and fails over")
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  @DisplayName("a store that is wiped and fails over")
  void losing(long seed) {
    walk(seed, true);
  }

  private static void walk(long seed, boolean losses) {
    Walker walker = new Walker(seed, losses);
    for (int i = 0; i < STEPS; i++) {
      String did = "";
      try {
        did = walker.step();
        walker.check();
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError(
            "seed %d, step %d (%s): %s%n%s"
                .formatted(seed, i, did, broken.getMessage(), walker.story()),
            broken);
      }
    }
    walker.finish();
  }
}
