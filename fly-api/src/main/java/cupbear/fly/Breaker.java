// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

/**
 * Stops asking a host that does not answer, as a value. Closed: the last calls are counted. Open:
 * nothing is sent for a while, longer each time. Half open: one call tries. Pure.
 *
 * @param recent the last calls, newest in the lowest bit, 1 for a failure
 * @param trips how often it opened without a success in between
 */
record Breaker(BreakerRule rule, Phase phase, long recent, int seen, long until, int trips) {

  enum Phase {
    CLOSED,
    OPEN,
    TRYING
  }

  static Breaker closed(BreakerRule rule) {
    return new Breaker(rule, Phase.CLOSED, 0, 0, 0, 0);
  }

  boolean permits(long now) {
    return switch (phase) {
      case CLOSED -> true;
      case OPEN -> now - until >= 0;
      case TRYING -> false;
    };
  }

  /** A call that was permitted leaves now. */
  Breaker leaving() {
    return phase == Phase.OPEN ? in(Phase.TRYING) : this;
  }

  Breaker succeeded() {
    return switch (phase) {
      case CLOSED -> count(0);
      case OPEN -> this;
      case TRYING -> closed(rule);
    };
  }

  Breaker failed(long now) {
    return switch (phase) {
      case CLOSED -> {
        Breaker counted = count(1);
        yield counted.isTooMuch() ? counted.open(now) : counted;
      }
      case OPEN -> this;
      case TRYING -> open(now);
    };
  }

  /** The call ended in a way that says nothing of the host; somebody else may try. */
  Breaker undecided() {
    return phase == Phase.TRYING ? in(Phase.OPEN) : this;
  }

  private Breaker in(Phase next) {
    return new Breaker(rule, next, recent, seen, until, trips);
  }

  private Breaker count(int failure) {
    long mask = rule.window() == Long.SIZE ? -1L : (1L << rule.window()) - 1;
    int calls = Math.min(rule.window(), seen + 1);
    return new Breaker(rule, phase, ((recent << 1) | failure) & mask, calls, until, trips);
  }

  private boolean isTooMuch() {
    return seen >= rule.least() && Long.bitCount(recent) >= rule.failingShare() * seen;
  }

  private Breaker open(long now) {
    long pause = rule.pause().toNanos() << Math.min(trips, 10);
    long bounded = Math.min(pause, rule.longestPause().toNanos());
    return new Breaker(rule, Phase.OPEN, 0, 0, now + bounded, trips + 1);
  }
}
