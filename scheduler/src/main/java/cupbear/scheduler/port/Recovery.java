// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import io.vertx.core.Future;

/**
 * Getting over a store that lost data: a wipe, or a failover that dropped the last writes.
 *
 * <p>From the moment the loss is noticed nothing is granted. Every warm Machine is proving again,
 * and the epoch is set above all epochs ever given (the store's time in microseconds is one). Each
 * live replica reports the grants it remembers; a reported grant is put back unless its Machine has
 * a newer one. Once all replicas that anybody has seen lately have reported, or {@code heldUntil}
 * has passed, granting goes on. A regional pool's Machines can be proven as soon as its leader has
 * reported too, because only the leader knows Fly's tags: a Machine tagged as in use that no grant
 * explains is kept for its session until a renewal with a receipt claims it, and recycled later.
 */
public interface Recovery {
  /**
   * Looks whether the store can be believed, and opens a recovery if not. A replica that worked
   * with another generation is refused everything ({@link StoreTrouble.Kind#RECOVERING}) until it
   * has looked and, if asked to by the answer, reported.
   */
  Future<StoreState> state(PoolName pool);

  Future<StoreState> report(PoolName pool, ReplicaReport report);

  Future<StoreState> report(Mandate mandate, RegionReport report);
}
