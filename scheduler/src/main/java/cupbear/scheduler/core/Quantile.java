// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.util.List;

/** The nearest-rank quantile: always a value that was really measured. */
final class Quantile {
  private Quantile() {}

  static Duration of(List<Duration> sorted, double share) {
    if (sorted.isEmpty()) return Duration.ZERO;
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.clamp(rank - 1, 0, sorted.size() - 1));
  }
}
