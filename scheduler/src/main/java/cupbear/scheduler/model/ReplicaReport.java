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
 */
public record ReplicaReport(ReplicaId replica, Set<ReplicaId> peers, List<Grant> grants) {
  public ReplicaReport {
    peers = Set.copyOf(peers);
    grants = List.copyOf(grants);
  }
}
