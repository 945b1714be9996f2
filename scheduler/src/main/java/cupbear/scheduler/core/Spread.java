// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Which replica should lead which regional pool, by rendezvous hashing: all replicas that see the
 * same peers agree without talking, and one that comes or goes moves only its own share.
 */
public final class Spread {
  private Spread() {}

  /** Empty when nobody lives. */
  public static Optional<ReplicaId> owner(
      PoolName pool, Region region, Collection<ReplicaId> live) {
    return live.stream()
        .max(
            Comparator.comparingLong((ReplicaId each) -> weight(pool, region, each))
                .thenComparing(Comparator.naturalOrder()));
  }

  private static long weight(PoolName pool, Region region, ReplicaId replica) {
    return StableHash.mixed(replica + "/" + pool + "/" + region);
  }
}
