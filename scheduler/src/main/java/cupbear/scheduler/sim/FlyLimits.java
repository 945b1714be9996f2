// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.core.Bucket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Fly's own count of calls, over all callers together: beyond it the answer is 429. Two schedulers
 * that each keep the rate may still break it together, and have to live with the refusals.
 */
final class FlyLimits {
  private final Agenda agenda;
  private final Map<String, Bucket> buckets = new HashMap<>();

  FlyLimits(Agenda agenda) {
    this.agenda = agenda;
  }

  boolean take(String action, String identifier) {
    String key = action + " " + identifier;
    boolean look = action.equals("look");
    // A little more than published: what left at the right pace may arrive bunched.
    Bucket bucket = buckets.get(key);
    if (bucket == null) {
      bucket =
          look
              ? Bucket.full(12, Duration.ofMillis(200), agenda.now())
              : Bucket.full(4, Duration.ofSeconds(1), agenda.now());
    }
    Optional<Bucket> taken = bucket.take(1, agenda.now());
    buckets.put(key, taken.orElse(bucket));
    return taken.isPresent();
  }
}
