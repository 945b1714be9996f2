// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import java.util.ArrayList;
import java.util.List;

/** The claim as Redis gets it, for those who measure it without lanes. */
public final class ClaimCommand {
  private static final Script CLAIM = Script.named("claim");

  private ClaimCommand() {}

  /** What the script is called by, once it was loaded. */
  public static String sha() {
    return CLAIM.sha();
  }

  public static String source() {
    return CLAIM.source();
  }

  /** The one key of the call. */
  public static String key(PoolName pool) {
    return RedisLanes.prefix(pool);
  }

  /**
   * What follows the key.
   *
   * @param replicationId of the server that is asked
   */
  public static List<String> arguments(
      String replicationId, StoreRules rules, ClaimRequest request) {
    List<String> all = new ArrayList<>(List.of(replicationId, "", RedisStore.words(rules)));
    all.addAll(RedisClaims.arguments(request));
    return all;
  }

  public static ClaimResult result(ClaimRequest request, Object reply) {
    return RedisClaims.claimed(request, reply);
  }
}
