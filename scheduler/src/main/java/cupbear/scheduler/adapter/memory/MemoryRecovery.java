// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Recovery;
import io.vertx.core.Future;

/** {@link Recovery} on a {@link MemoryStore}. */
final class MemoryRecovery implements Recovery {
  private final MemoryStore store;
  private final Belief belief;

  MemoryRecovery(MemoryStore store, Belief belief) {
    this.store = store;
    this.belief = belief;
  }

  @Override
  public Future<StoreState> state(PoolName pool) {
    return store.step(
        pool,
        step -> {
          Recovering recovering = new Recovering(step);
          StoreState state = recovering.state(recovering.look());
          belief.seen(pool, state);
          return state;
        });
  }

  @Override
  public Future<StoreState> report(PoolName pool, ReplicaReport report) {
    return store.step(
        pool,
        step -> {
          Recovering recovering = new Recovering(step);
          StoreState state = recovering.report(recovering.look(), report);
          belief.reported(pool, state);
          return state;
        });
  }

  @Override
  public Future<StoreState> report(Mandate mandate, RegionReport report) {
    return store.step(
        mandate.pool(),
        step -> {
          belief.requireMandate(step, mandate);
          Recovering recovering = new Recovering(step);
          return recovering.report(recovering.look(), mandate.region(), report);
        });
  }
}
