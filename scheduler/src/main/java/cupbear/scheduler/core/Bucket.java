// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A rate limit as a value: taking tokens gives the next bucket, or nothing when it is dry. */
public record Bucket(int tokens, int cap, Instant refilledAt, Duration every) {
  private static final Duration LONG_REST = Duration.ofHours(1);

  public Bucket {
    if (cap < 1 || tokens < 0 || tokens > cap) {
      throw new IllegalArgumentException(
          "bucket holds %d of %d; give a cap of at least 1 and no more than that"
              .formatted(tokens, cap));
    }
    if (every.isNegative() || every.isZero()) {
      throw new IllegalArgumentException("a token every " + every + "; give a positive duration");
    }
  }

  public static Bucket full(int cap, Duration every, Instant now) {
    return new Bucket(cap, cap, now, every);
  }

  public Optional<Bucket> take(int wanted, Instant now) {
    Bucket refilled = refilled(now);
    return refilled.tokens < wanted
        ? Optional.empty()
        : Optional.of(new Bucket(refilled.tokens - wanted, cap, refilled.refilledAt, every));
  }

  /** How long until this many tokens are there; zero when they are now. */
  public Duration until(int wanted, Instant now) {
    Bucket refilled = refilled(now);
    int missing = wanted - refilled.tokens;
    if (missing <= 0) return Duration.ZERO;
    Duration left = Duration.between(now, refilled.refilledAt.plus(every.multipliedBy(missing)));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A clock that jumped back gains nothing and loses nothing. */
  private Bucket refilled(Instant now) {
    if (!now.isAfter(refilledAt)) return this;
    Duration rested = Duration.between(refilledAt, now);
    // Dividing one duration by another goes by way of BigDecimal; few buckets rest for an hour.
    long gained =
        rested.compareTo(LONG_REST) > 0
            ? rested.dividedBy(every)
            : rested.toNanos() / Math.max(1, every.toNanos());
    if (tokens + gained >= cap) return new Bucket(cap, cap, now, every);
    return new Bucket(
        tokens + (int) gained, cap, refilledAt.plus(every.multipliedBy(gained)), every);
  }
}
