// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.port.Time;
import java.time.Duration;

/**
 * How long this replica may believe that it leads, by its own monotonic clock. A process that stood
 * still does not notice; asked before each act, this does. Any thread.
 */
final class Tenure {
  /** What the store grants. */
  static final Duration LEASE = Duration.ofSeconds(15);

  static final Duration RENEW_EVERY = Duration.ofSeconds(5);

  /**
   * What we believe of it, from the moment a renewal was sent: shorter than the lease, so that the
   * last call to Fly is answered before somebody else can lead.
   */
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  private final Mandate mandate;
  private final Time time;
  private volatile long untilNanos;
  private volatile boolean ended;

  Tenure(Mandate mandate, Time time, long sentNanos) {
    this.mandate = mandate;
    this.time = time;
    this.untilNanos = sentNanos + BELIEVED.toNanos();
  }

  Mandate mandate() {
    return mandate;
  }

  boolean holds() {
    return !ended && time.nanos() - untilNanos < 0;
  }

  void renewed(long sentNanos) {
    untilNanos = sentNanos + BELIEVED.toNanos();
  }

  void end() {
    ended = true;
  }
}
