// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.time.Duration;
import java.util.Set;

/**
 * Whether, when and where to try again; a pure rule. What is about this replica alone goes to the
 * next one at once, as long as there is one that has not failed. What is about the whole service
 * waits as long as it was told to, and a random while more, so that callers do not come back in
 * step. A refusal of the request itself is final.
 */
sealed interface Retry {
  Duration FIRST_PAUSE = Duration.ofMillis(100);
  Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Problems that all replicas share, because they share the store. */
  Set<String> SHARED_PROBLEMS = Set.of("store-unavailable", "recovering", "timeout");

  /** Try again after a pause (which may be none). */
  record After(Duration pause, boolean elsewhere) implements Retry {}

  /** It is of no use, or would be too late. */
  record No() implements Retry {}

  /**
   * @param failures how often this call has failed, this time included
   * @param replicas how many there are to go round
   * @param left how much of the caller's time is left
   * @param dice between 0 and 1
   */
  static Retry rule(Refusal refusal, int failures, int replicas, Duration left, double dice) {
    Retry retry =
        switch (refusal) {
          case Refusal.Unreachable there -> roundRobin(failures, replicas, dice);
          case Refusal.TimedOut there -> roundRobin(failures, replicas, dice);
          case Refusal.Garbled there -> roundRobin(failures, replicas, dice);
          case Refusal.Unavailable there ->
              SHARED_PROBLEMS.contains(there.problem())
                  ? new After(there.retryAfter().plus(jitter(failures, dice)), true)
                  : roundRobin(failures, replicas, dice);
          case Refusal.NoCapacity none ->
              new After(none.retryAfter().plus(jitter(failures, dice)), false);
          case Refusal.QueueFull full ->
              new After(full.retryAfter().plus(jitter(failures, dice)), false);
          case Refusal.RateLimited slower ->
              new After(slower.retryAfter().plus(jitter(failures, dice)), false);
          case Refusal.Unauthorized no -> new No();
          case Refusal.Forbidden no -> new No();
          case Refusal.Invalid no -> new No();
          case Refusal.NotFound no -> new No();
          case Refusal.LeaseLost no -> new No();
          case Refusal.MachineLost no -> new No();
          case Refusal.EpochStale no -> new No();
          case Refusal.Other no -> new No();
          case Refusal.GivenUp no -> new No();
        };
    return retry instanceof After after && after.pause().compareTo(left) >= 0 ? new No() : retry;
  }

  private static Retry roundRobin(int failures, int replicas, double dice) {
    boolean untried = failures < replicas;
    return new After(untried ? Duration.ZERO : jitter(failures, dice), true);
  }

  /** Full jitter: anything between nothing and a bound that doubles. */
  private static Duration jitter(int failures, double dice) {
    long bound = FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10);
    return Duration.ofMillis((long) (dice * Math.min(bound, LONGEST_PAUSE.toMillis())));
  }
}
