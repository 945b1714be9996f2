// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.sim.SimSettings.FaultLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The runs that tests are made of. */
final class Seeds {
  private static final Duration HOUR = Duration.ofHours(1);

  private Seeds() {}

  /** An hour with two schedulers in which everything goes wrong; another demand each time. */
  static SimSettings wild(long seed) {
    return new SimSettings(seed, HOUR, FaultLevel.WILD, 2, Demand.of(seed));
  }

  static List<SimSettings> wild(long from, int count) {
    List<SimSettings> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) runs.add(wild(from + i));
    return runs;
  }
}
