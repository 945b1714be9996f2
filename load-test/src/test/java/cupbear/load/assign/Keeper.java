// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.app.GrantMemory;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a replica does besides serving: says hello, tells a store that lost data what it remembers,
 * and, when it leads, wipes, boots and proves the Machines that sessions have left. One thread.
 */
final class Keeper implements Runnable {
  private static final PoolName POOL = Torture.POOL;
  private static final Duration LEADER_LEASE = Duration.ofSeconds(2);
  private static final Duration LIVE_WITHIN = Duration.ofSeconds(5);
  private static final Duration HELLO_EVERY = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 20;

  private final ReplicaId self;
  private final RedisStore store;
  private final GrantMemory memory;
  private final Set<ReplicaId> peers = new HashSet<>();
  private List<Booked> remembered = List.of();
  private @Nullable Mandate mandate;
  private long helloAt = System.nanoTime() - HELLO_EVERY.toNanos();

  Keeper(ReplicaId self, RedisStore store, GrantMemory memory) {
    this.self = self;
    this.store = store;
    this.memory = memory;
    peers.add(self);
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        turn();
        Thread.sleep(PAUSE_MS);
      } catch (IllegalStateException storeIsAway) {
        mandate = null;
      } catch (InterruptedException over) {
        return;
      }
    }
  }

  private void turn() {
    if (System.nanoTime() - helloAt >= HELLO_EVERY.toNanos()) {
      helloAt = System.nanoTime();
      peers.addAll(Waits.get(store.leadership().hello(POOL, self, LIVE_WITHIN)));
      believe();
      lead();
    }
    Mandate mine = mandate;
    if (mine != null) tend(mine);
  }

  private void believe() {
    StoreState state = Waits.get(store.recovery().state(POOL));
    if (state instanceof StoreState.Ready) return;
    var unused =
        Waits.get(
            store
                .recovery()
                .report(POOL, new ReplicaReport(self, peers, memory.of(POOL), memory.over(POOL))));
  }

  private void lead() {
    Mandate mine = mandate;
    if (mine != null && Waits.get(store.leadership().renew(mine, self, LEADER_LEASE))) return;
    Optional<Mandate> won =
        Waits.get(store.leadership().campaign(POOL, Replica.REGION, self, LEADER_LEASE));
    mandate = won.orElse(null);
    if (won.isPresent()) {
      var unused =
          Waits.get(store.recovery().report(won.get(), new RegionReport(remembered, Set.of())));
    }
  }

  private void tend(Mandate mine) {
    remembered = Waits.get(store.book().snapshot(POOL, Replica.REGION)).machines();
    List<Future<?>> steps = new ArrayList<>();
    for (int i = remembered.size(); i < Torture.MACHINES; i++) {
      steps.add(enrol(mine, new MachineId("m" + i)));
    }
    for (Booked each : remembered) steps.add(next(mine, each));
    Waits.get(Future.join(steps).otherwiseEmpty());
    var unused = Waits.get(store.book().expire(mine, Torture.TERMS));
  }

  private Future<?> enrol(Mandate mine, MachineId machine) {
    Instant boot = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return store
        .book()
        .move(
            mine,
            new Move.Enrol(
                new Booked(
                    machine,
                    "torture-" + machine,
                    Replica.REGION,
                    Replica.TEMPLATE,
                    Keep.ALWAYS,
                    boot,
                    null,
                    new MachineState.Provisioning(boot),
                    null)))
        .compose(any -> boot(mine, machine, boot));
  }

  private Future<?> next(Mandate mine, Booked booked) {
    MachineId machine = booked.id();
    return switch (booked.state()) {
      case MachineState.Provisioning any -> boot(mine, machine, booked.bootedAt());
      case MachineState.Proving any -> prove(mine, machine, booked.bootedAt());
      case MachineState.Draining any ->
          store.book().move(mine, new Move.Park(machine)).compose(done -> restart(mine, machine));
      case MachineState.Parked any -> restart(mine, machine);
      case MachineState.Condemned any -> store.book().move(mine, new Move.Forget(machine));
      case MachineState.Warm any -> Future.succeededFuture();
      case MachineState.Assigned any -> Future.succeededFuture();
      case MachineState.Unknown any -> Future.succeededFuture();
    };
  }

  private Future<?> restart(Mandate mine, MachineId machine) {
    Instant boot = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return store
        .book()
        .move(mine, new Move.Restart(machine, Keep.ALWAYS, boot))
        .compose(any -> boot(mine, machine, boot));
  }

  private Future<?> boot(Mandate mine, MachineId machine, Instant boot) {
    return store
        .book()
        .move(mine, new Move.Boot(machine, "fdaa::" + machine.value().substring(1)))
        .compose(any -> prove(mine, machine, boot));
  }

  private Future<?> prove(Mandate mine, MachineId machine, Instant boot) {
    Instant now = Instant.now();
    return store.book().prove(mine, new Proof(machine, boot, now, now), Torture.TERMS);
  }
}
