// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;
import java.util.Optional;

/**
 * A token bucket as a value: what may still be sent for one action on one Machine or app. A refusal
 * by Fly empties it and halves its pace; time brings the pace back. Pure.
 *
 * @param tokens below zero after a refusal: nothing goes for a second at least
 * @param at clock reading, in nanoseconds, of the last change
 * @param pace share of the rate that we dare to use, from {@link #SLOWEST} to 1
 */
record Bucket(Rate rate, double tokens, long at, double pace) {

  /** Fly's 429 says nothing of when to come back; a second is its own unit. */
  private static final double PENALTY_SECONDS = 1;

  static final double SLOWEST = 1.0 / 8;

  /** From half to full pace in a quarter of a minute. */
  private static final double RECOVERY_PER_SECOND = 1.0 / 30;

  private static final double NANOS = 1e9;

  /** A hair more than computed, so that rounding never wakes us in vain. */
  private static final long HAIR = 1_000;

  static Bucket full(Rate rate, long now) {
    return new Bucket(rate, rate.burst(), now, 1);
  }

  /** The bucket with one token less, or nothing when the caller has to wait. */
  Optional<Bucket> take(Urgency urgency, long now) {
    Bucket filled = at(now);
    return filled.tokens >= needed(urgency)
        ? Optional.of(new Bucket(rate, filled.tokens - 1, now, filled.pace))
        : Optional.empty();
  }

  /** How long until {@link #take} can succeed, if nobody else takes. */
  Duration readyIn(Urgency urgency, long now) {
    Bucket filled = at(now);
    double missing = needed(urgency) - filled.tokens;
    return missing <= 0
        ? Duration.ZERO
        : Duration.ofNanos((long) (missing / (rate.perSecond() * filled.pace) * NANOS) + HAIR);
  }

  /** Fly answered 429 to a request of this bucket. */
  Bucket refused(long now) {
    double slower = Math.max(SLOWEST, at(now).pace / 2);
    double owed = Math.min(0, 1 - rate.perSecond() * slower * PENALTY_SECONDS);
    return new Bucket(rate, owed, now, slower);
  }

  /** As good as new: nothing is lost when it is forgotten. */
  boolean isFull(long now) {
    Bucket filled = at(now);
    return filled.tokens >= rate.burst() && filled.pace >= 1;
  }

  private Bucket at(long now) {
    double seconds = Math.max(0, now - at) / NANOS;
    // The old pace throughout: slightly slow, never fast.
    double more = Math.min(rate.burst(), tokens + seconds * rate.perSecond() * pace);
    return new Bucket(rate, more, now, Math.min(1, pace + seconds * RECOVERY_PER_SECOND));
  }

  /** Routine calls leave the last token of a burst to an urgent one. */
  private double needed(Urgency urgency) {
    return switch (urgency) {
      case URGENT -> 1;
      case ROUTINE -> rate.burst() > 1 ? 2 : 1;
    };
  }
}
