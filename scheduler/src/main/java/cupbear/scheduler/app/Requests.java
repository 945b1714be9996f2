// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Atlas;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What can be said about a request without asking anybody. */
final class Requests {
  private static final int KEY_LONGEST = 64;

  private Requests() {}

  static Optional<Answer> whatIsWrong(SessionRequest request, PoolSpec pool, Atlas atlas) {
    for (Region region : request.regions()) {
      boolean known = pool.regions().containsKey(region) || atlas.places().containsKey(region);
      if (!known) {
        return bad(
            "region",
            "no region '%s'; this pool has %s".formatted(region, pool.regions().keySet()));
      }
    }
    for (Map.Entry<String, String> label : new java.util.TreeMap<>(request.labels()).entrySet()) {
      String there = pool.labels().get(label.getKey());
      if (!label.getValue().equals(there)) {
        return bad(
            "labels." + label.getKey(),
            "pool %s has %s, not '%s'; ask another pool or leave it out"
                .formatted(
                    pool.name(),
                    there == null ? "no such label" : "'" + there + "'",
                    label.getValue()));
      }
    }
    return patience(request, pool);
  }

  private static Optional<Answer> patience(SessionRequest request, PoolSpec pool) {
    Duration asked = request.patience();
    Duration most = pool.serving().patienceMost();
    boolean fine = asked == null || (!asked.isNegative() && asked.compareTo(most) <= 0);
    return fine
        ? Optional.empty()
        : bad("wait", "%s; give between 0s and %ds".formatted(asked, most.toSeconds()));
  }

  /**
   * The key under which the next Machine is asked for when the first one was no good. Follows from
   * the first key, so that a repeat of the same request comes to the same session.
   */
  static String nextKey(String key) {
    String next = key + "-r";
    if (next.length() <= KEY_LONGEST) return next;
    String digest = Integer.toHexString(key.hashCode());
    return key.substring(0, KEY_LONGEST - digest.length() - 3) + "-" + digest + "-r";
  }

  private static Optional<Answer> bad(String field, String why) {
    return Optional.of(new Answer.BadRequest(field, why));
  }
}
