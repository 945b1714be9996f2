// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Token buckets: one call a second with bursts of three, per action and per Machine or app; reading
 * one Machine five a second with bursts of ten. In real time at any speed, because clients pace
 * themselves by their own clock. Owned by the world's thread; full buckets are forgotten.
 */
final class RateLimits {
  // Full buckets weigh nothing but memory; swept when this many are known.
  private static final int SWEEP_AT = 10_000;

  /** What a bucket holds and how fast it fills. */
  record Rate(double perSecond, double burst) {
    static Rate of(Action.Limit limit) {
      return switch (limit) {
        case TOKEN, ORG, APP, MACHINE -> new Rate(1, 3);
        case GET_MACHINE -> new Rate(5, 10);
        case APP_DELETE -> new Rate(100 / 60.0, 100);
      };
    }
  }

  private record Key(Action action, String of) {}

  private record Bucket(double tokens, Instant filledAt) {}

  private final Map<Key, Bucket> buckets = new HashMap<>();

  /** Takes one, or says no. */
  boolean allows(Action action, String of, double factor, Instant now) {
    Rate rate = Rate.of(action.limit());
    Key key = new Key(action.limitedAs(), of);
    double tokens = tokens(buckets.get(key), rate, factor, now);
    boolean allowed = tokens >= 1;
    buckets.put(key, new Bucket(allowed ? tokens - 1 : tokens, now));
    if (buckets.size() > SWEEP_AT) {
      buckets
          .entrySet()
          .removeIf(e -> {
            Rate its = Rate.of(e.getKey().action.limit());
            return tokens(e.getValue(), its, factor, now) >= its.burst;
          });
    }
    return allowed;
  }

  void clear() {
    buckets.clear();
  }

  private static double tokens(@Nullable Bucket bucket, Rate rate, double factor, Instant now) {
    if (bucket == null) {
      return rate.burst;
    }
    double seconds = Duration.between(bucket.filledAt, now).toNanos() / 1e9;
    return Math.min(rate.burst, bucket.tokens + Math.max(0, seconds) * rate.perSecond * factor);
  }
}
