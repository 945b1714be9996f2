// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import org.jspecify.annotations.Nullable;

/** One regional pool as the supervisor sees it: led from here, or not. The supervisor's thread. */
final class Seat {
  /** What leading takes. */
  record Lead(Tenure tenure, RunningLoop loop) {}

  final PoolName pool;
  final Region region;
  @Nullable Lead lead;

  /** A call to the store about this seat is under way. */
  boolean asking;

  boolean renewing;
  long renewedNanos;

  /** Since when nobody leads, as far as we saw. */
  @Nullable Long emptySinceNanos;

  /** Since when another replica should lead what we lead. */
  @Nullable Long misplacedSinceNanos;

  Memory memory = Memory.NONE;
  long memoryNanos;
  int spilledIn;

  Seat(PoolName pool, Region region) {
    this.pool = pool;
    this.region = region;
  }
}
