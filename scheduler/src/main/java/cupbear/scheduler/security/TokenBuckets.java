// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much each token may ask: so many at once, so many per second. Any thread; one short lock.
 * Remembers a bounded number of tokens and forgets the one seen longest ago, which then starts
 * afresh; a restart forgets all.
 */
public final class TokenBuckets {
  /** One token's share, as a value: requests are spaced, up to a burst ahead of time. */
  public record Share(int perSecond, int burst) {
    public Share {
      if (perSecond < 1 || burst < 1) {
        throw new IllegalArgumentException(
            "%d per second, %d at once; give 1 or more of both".formatted(perSecond, burst));
      }
    }

    Duration spacing() {
      return Duration.ofSeconds(1).dividedBy(perSecond);
    }

    Duration whole() {
      return spacing().multipliedBy(burst);
    }
  }

  /**
   * What one token has used.
   *
   * @param paidUntil when its requests so far would be over, had they come evenly spaced
   */
  record Use(Instant paidUntil) {
    /**
     * Rest is not saved up; and nobody is further ahead than a burst, but for a clock gone back.
     */
    Use at(Share share, Instant now) {
      Instant most = now.plus(share.whole());
      if (paidUntil.isBefore(now)) return new Use(now);
      return paidUntil.isAfter(most) ? new Use(most) : this;
    }

    /** How long to wait before one more is allowed; zero when it is now. */
    Duration wait(Share share, Instant now) {
      Duration over = Duration.between(now.plus(share.whole()), paidUntil.plus(share.spacing()));
      return over.isPositive() ? over : Duration.ZERO;
    }

    Use more(Share share) {
      return new Use(paidUntil.plus(share.spacing()));
    }
  }

  /** Whether a request may go on. */
  public sealed interface Taken {
    record Granted() implements Taken {}

    record Throttled(Duration retryAfter) implements Taken {}
  }

  private final Share share;
  private final Map<String, Use> uses;

  /**
   * @param tokensMost how many tokens are remembered
   */
  public TokenBuckets(Share share, int tokensMost) {
    this.share = share;
    this.uses =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Use> eldest) {
            return size() > tokensMost;
          }
        };
  }

  /** Takes one request from this token's share. */
  public Taken take(String token, Instant now) {
    synchronized (uses) {
      Use use = uses.getOrDefault(token, new Use(now)).at(share, now);
      Duration wait = use.wait(share, now);
      uses.put(token, wait.isZero() ? use.more(share) : use);
      return wait.isZero() ? new Taken.Granted() : new Taken.Throttled(wait);
    }
  }

  int remembered() {
    synchronized (uses) {
      return uses.size();
    }
  }
}
