// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.port.Leadership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** {@link Leadership} on a {@link MemoryStore}. */
final class MemoryLeadership implements Leadership {
  private final MemoryStore store;
  private final Belief belief;

  MemoryLeadership(MemoryStore store, Belief belief) {
    this.store = store;
    this.belief = belief;
  }

  private <T> Future<T> step(PoolName pool, Function<Step, T> work) {
    return store.step(
        pool,
        step -> {
          belief.require(step);
          return work.apply(step);
        });
  }

  @Override
  public Future<Optional<Mandate>> campaign(
      PoolName pool, Region region, ReplicaId self, Duration lease) {
    return step(pool, step -> new Voting(step).campaign(region, self, lease));
  }

  @Override
  public Future<Boolean> renew(Mandate mandate, ReplicaId self, Duration lease) {
    return step(mandate.pool(), step -> new Voting(step).renew(mandate, self, lease));
  }

  @Override
  public Future<Void> resign(Mandate mandate, ReplicaId self) {
    return step(
            mandate.pool(),
            step -> {
              new Voting(step).resign(mandate, self);
              return true;
            })
        .mapEmpty();
  }

  @Override
  public Future<Optional<ReplicaId>> leader(PoolName pool, Region region) {
    return step(pool, step -> step.pool.leaders.of(region, step.now).map(Leaders.Leader::replica));
  }

  /** Also on a store that cannot be believed: a recovery asks who lives. */
  @Override
  public Future<Set<ReplicaId>> hello(PoolName pool, ReplicaId self, Duration within) {
    return store.step(pool, step -> new Voting(step).hello(self, within));
  }

  @Override
  public Future<Void> goodbye(PoolName pool, ReplicaId self) {
    return store
        .step(
            pool,
            step -> {
              new Voting(step).goodbye(self);
              return true;
            })
        .mapEmpty();
  }
}
