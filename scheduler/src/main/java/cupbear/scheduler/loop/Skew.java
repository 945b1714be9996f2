// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import java.time.Duration;
import java.time.Instant;

/**
 * How far the store's clock is from ours. Leases, states and deadlines are stamped by the store; a
 * process whose clock is off by minutes would find every boot overdue. Small differences are the
 * way an answer travels, and left alone.
 */
final class Skew {
  private static final Duration TRAVEL = Duration.ofSeconds(2);

  private Skew() {}

  static Duration of(Instant store, Instant ours) {
    Duration apart = Duration.between(ours, store);
    return apart.abs().compareTo(TRAVEL) <= 0 ? Duration.ZERO : apart;
  }
}
