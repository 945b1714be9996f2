// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/**
 * What a store goes by that no call brings along. All replicas must hold the same, so these are not
 * settings of a pool; tests with a real clock use shorter times.
 *
 * @param guacdTrust a guacd proof younger than this needs no second look
 * @param rdpTrust the same for an RDP proof
 * @param hold after lost data: how long a dead replica's sessions have to renew. A third of a lease
 * @param withdrawnKept how long a call that left the queue can still be told so
 * @param replicaKept how long a replica counts as seen lately
 * @param expireMost sessions, and unknown Machines, that one step ends at most
 * @param waitsKept queue times remembered per region
 * @param journalMax entries kept per pool
 */
public record StoreRules(
    Duration guacdTrust,
    Duration rdpTrust,
    Duration hold,
    Duration withdrawnKept,
    Duration replicaKept,
    int expireMost,
    int waitsKept,
    int journalMax) {
  public static final StoreRules DEFAULT =
      new StoreRules(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          100,
          256,
          10_000);

  /** A session put back from memory lives this long until its gateway renews it. */
  public Duration recognisedLease() {
    return hold.multipliedBy(3);
  }
}
