// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Who leads which regional pool, by leases on the store's clock. */
public interface Leadership {
  /** Leads from now on, unless somebody else does; with a higher epoch than anybody before. */
  Future<Optional<Mandate>> campaign(PoolName pool, Region region, ReplicaId self, Duration lease);

  /** Goes on leading; false when the mandate is no longer valid. */
  Future<Boolean> renew(Mandate mandate, ReplicaId self, Duration lease);

  /** Lets somebody else lead at once; without effect under an old mandate. */
  Future<Void> resign(Mandate mandate, ReplicaId self);

  /** Who leads; empty when nobody does. */
  Future<Optional<ReplicaId>> leader(PoolName pool, Region region);

  /** This replica lives; gives back all that said so within the given time, itself included. */
  Future<Set<ReplicaId>> hello(PoolName pool, ReplicaId self, Duration within);

  /** This replica leaves in good order: nobody waits for its report. */
  Future<Void> goodbye(PoolName pool, ReplicaId self);
}
