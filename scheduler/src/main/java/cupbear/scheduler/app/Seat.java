// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** One regional pool as the supervisor sees it: led from here, or not. The supervisor's thread. */
final class Seat {
  /** What leading takes. */
  record Lead(Tenure tenure, RunningLoop loop) {}

  final PoolName pool;
  final Region region;
  @Nullable Lead lead;

  /** A call to the store about taking this seat is under way. */
  boolean asking;

  boolean renewing;
  long renewedNanos;

  /** Since when nobody leads, as far as we saw. */
  @Nullable Long emptySinceNanos;

  /** Since when another replica should lead what we lead. */
  @Nullable Long misplacedSinceNanos;

  /** Set once the hand-over has begun. */
  @Nullable Future<Void> handedOver;

  Memory memory = Memory.NONE;
  long memoryNanos;

  /** What the loop was last told that neighbours lack. */
  int spilledIn;

  Seat(PoolName pool, Region region) {
    this.pool = pool;
    this.region = region;
  }

  void begin(Lead next) {
    lead = next;
    renewing = false;
    emptySinceNanos = null;
    misplacedSinceNanos = null;
    handedOver = null;
    spilledIn = 0;
  }

  void end(Memory left, long nowNanos) {
    lead = null;
    memory = left;
    memoryNanos = nowNanos;
  }
}
