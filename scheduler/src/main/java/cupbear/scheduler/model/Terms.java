// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/**
 * The terms on which a pool lends its Machines. They travel with each call, so that the store holds
 * no settings of its own.
 *
 * @param confirmWithin a grant that nobody connected to by then is taken back
 * @param lease how long a session lives without being renewed
 * @param maxSession how long it lives however often it is renewed
 * @param keyKept how long the same idempotency key gets the same answer
 * @param queueMax more waiters than this in a pool are turned away
 * @param failover what happens to a session whose Machine dies
 */
public record Terms(
    Duration confirmWithin,
    Duration lease,
    Duration maxSession,
    Duration keyKept,
    int queueMax,
    Failover failover) {
  public static final Terms DEFAULT =
      new Terms(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofHours(8),
          Duration.ofHours(24),
          200,
          Failover.NOTIFY);

  /** What happens to a session whose Machine dies. */
  public enum Failover {
    /** Another Machine under the same session id and a higher epoch, told on renew. */
    REPLACE,
    /** The gateway hears "lost" on its next renew and asks anew. */
    NOTIFY,
    /** It ends; a renew hears that its lease is lost. */
    NONE
  }

  /** How soon a gateway has to renew so that two lost renewals do no harm. */
  public Duration renewWithin() {
    return lease.dividedBy(3);
  }
}
