// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A Machine given to a session, with all that its answer, its receipt and a recovery need. Times
 * are the store's.
 *
 * @param key the idempotency key it was asked with
 * @param waited how long the request stood in the queue
 * @param confirmBy taken back when nobody connected by then
 * @param sealed one-time credentials, sealed; null when the pool uses none or they are erased
 */
public record Grant(
    PoolName pool,
    SessionId session,
    Caller caller,
    String key,
    String fingerprint,
    MachineId machine,
    Region region,
    String address,
    Epoch epoch,
    Instant grantedAt,
    Duration waited,
    Instant confirmBy,
    Proof proof,
    @Nullable String sealed) {

  /** What is printed never holds the credentials, not even sealed. */
  @Override
  public String toString() {
    return "%s on %s in %s, epoch %s".formatted(session, machine, region, epoch);
  }
}
