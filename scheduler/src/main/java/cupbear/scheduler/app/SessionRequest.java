// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request for a session, parsed.
 *
 * @param regions in the caller's order of preference; empty for none
 * @param from where the caller is, when that is known; null otherwise
 * @param tenant whom the queue has to be fair to
 * @param patience how long it may stand in the queue; null for the pool's default
 * @param key the idempotency key
 * @param fingerprint of the body: the same key with another body is refused
 */
public record SessionRequest(
    PoolName pool,
    List<Region> regions,
    @Nullable Region from,
    String tenant,
    @Nullable Duration patience,
    Map<String, String> labels,
    String key,
    String fingerprint) {
  public SessionRequest {
    regions = List.copyOf(regions);
    labels = Map.copyOf(labels);
  }
}
