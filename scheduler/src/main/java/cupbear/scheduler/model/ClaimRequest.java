// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;
import java.util.List;

/**
 * One session request, ready for the store: everything but the choice of the Machine is settled.
 *
 * @param tenant whom the queue has to be fair to
 * @param key the caller's idempotency key
 * @param fingerprint of the body: the same key with another body is refused
 * @param proposed the session id and the call's own mark, used unless the key is known already
 * @param regions to try, best first
 * @param patience how long it may stand in the queue; zero to be told at once
 */
public record ClaimRequest(
    PoolName pool,
    Caller caller,
    String tenant,
    String key,
    String fingerprint,
    Waiter proposed,
    List<Region> regions,
    Duration patience,
    Terms terms) {
  public ClaimRequest {
    Words.require(key, Words.ID, "idempotency key");
    regions = List.copyOf(regions);
    if (patience.isNegative()) {
      throw new IllegalArgumentException("patience is " + patience + "; it must not be negative");
    }
  }
}
