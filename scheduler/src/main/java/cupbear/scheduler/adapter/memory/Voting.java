// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Who leads, and who lives: {@code lead.lua}. */
final class Voting {
  private final Step step;
  private final PoolState pool;

  Voting(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  Optional<Mandate> campaign(Region region, ReplicaId self, Duration lease) {
    boolean led =
        pool.leaders.of(region, step.now).filter(now -> !now.replica().equals(self)).isPresent();
    if (led) return Optional.empty();
    Mandate mandate = new Mandate(pool.name, region, step.nextEpoch());
    set(mandate, self, lease);
    step.note(EntryKind.LEADER_ELECTED, region, mandate.epoch(), self + " leads");
    return Optional.of(mandate);
  }

  boolean renew(Mandate mandate, ReplicaId self, Duration lease) {
    if (!holds(mandate, self)) return false;
    set(mandate, self, lease);
    return true;
  }

  void resign(Mandate mandate, ReplicaId self) {
    if (!holds(mandate, self)) return;
    pool.leaders.remove(mandate.region());
    step.note(EntryKind.LEADER_RESIGNED, mandate.region(), mandate.epoch(), self + " hands over");
  }

  private boolean holds(Mandate mandate, ReplicaId self) {
    return pool.leaders
        .of(mandate.region(), step.now)
        .filter(now -> now.replica().equals(self) && now.epoch().equals(mandate.epoch()))
        .isPresent();
  }

  private void set(Mandate mandate, ReplicaId self, Duration lease) {
    Instant until = step.now.plus(lease);
    pool.leaders.set(mandate.region(), new Leaders.Leader(self, mandate.epoch(), until));
  }

  Set<ReplicaId> hello(ReplicaId self, Duration within) {
    pool.left.remove(self);
    pool.replicas.put(self, step.now);
    Instant old = step.now.minus(within).minus(step.rules.replicaKept());
    forget(pool.replicas, old);
    forget(pool.left, old);
    return pool.replicas.since(step.now.minus(within));
  }

  private static void forget(Calendar<ReplicaId> calendar, Instant old) {
    for (var gone = calendar.popDue(old); gone.isPresent(); ) gone = calendar.popDue(old);
  }

  void goodbye(ReplicaId self) {
    pool.replicas.remove(self);
    pool.left.put(self, step.now);
    Generation generation = pool.generation;
    if (generation == null) return;
    generation.awaited.remove(self);
    new Recovering(step).settle(generation);
  }
}
