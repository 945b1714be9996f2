// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import cupbear.scheduler.config.PoolSettings;
import java.time.Duration;

/** How a pool's viewers are asked; the prober reads the first four of these. */
final class Askings {
  private Askings() {}

  static PoolSettings.Probes with(PoolSettings.Depth depth) {
    return new PoolSettings.Probes(
        4822, 3389, depth, false, Duration.ofSeconds(10), Duration.ofSeconds(30));
  }
}
