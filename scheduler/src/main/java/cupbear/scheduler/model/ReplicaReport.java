// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.List;
import java.util.Set;

/**
 * What one live replica remembers, for a store that lost data.
 *
 * @param peers the replicas it has seen alive within the last minute, itself included: as long as
 *     one of them has not reported, it may have given away a Machine that nobody knows of
 * @param grants made or renewed through it within the last minute and not ended since
 * @param ended the newest grants of sessions that ended through it within the last minute: their
 *     Machines need a wipe, and nobody else may put them back
 */
public record ReplicaReport(
    ReplicaId replica, Set<ReplicaId> peers, List<Grant> grants, List<Grant> ended) {
  public ReplicaReport {
    peers = Set.copyOf(peers);
    grants = List.copyOf(grants);
    ended = List.copyOf(ended);
  }

  /** Of a replica through which nothing ended. */
  public ReplicaReport(ReplicaId replica, Set<ReplicaId> peers, List<Grant> grants) {
    this(replica, peers, grants, List.of());
  }
}
