// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Credentials;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.Secret;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** Leads one regional pool by hand and puts Machines that do not exist on its shelf. */
final class Shelf {
  private static final ReplicaId SELF = new ReplicaId("bench");
  private static final Duration LEASE = Duration.ofHours(1);

  /** So many Machines on their way at once. */
  private static final int AT_ONCE = 512;

  private final RedisStore store;
  private final PoolName pool;
  private final Terms terms;
  private final SealedCredentials seals;

  Shelf(RedisStore store, PoolName pool, Terms terms, SealedCredentials seals) {
    this.store = store;
    this.pool = pool;
    this.terms = terms;
    this.seals = seals;
  }

  /** In a store that knows nothing yet: becomes its leader, with so many warm Machines. */
  void fill(int machines) {
    Waits.get(store.recovery().state(pool));
    Waits.get(store.recovery().report(pool, new ReplicaReport(SELF, Set.of(SELF), List.of())));
    Mandate mandate =
        Waits.get(store.leadership().campaign(pool, Replica.REGION, SELF, LEASE))
            .orElseThrow(() -> new IllegalStateException("somebody else leads " + pool));
    Waits.get(store.recovery().report(mandate, new RegionReport(List.of(), Set.of())));
    for (int from = 0; from < machines; from += AT_ONCE) {
      int to = Math.min(machines, from + AT_ONCE);
      List<Future<ProveResult>> all =
          java.util.stream.IntStream.range(from, to)
              .mapToObj(i -> warm(mandate, new MachineId("%014x".formatted(i))))
              .toList();
      Waits.get(Future.all(all));
    }
  }

  private Future<ProveResult> warm(Mandate mandate, MachineId machine) {
    Instant boot = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Booked booked =
        new Booked(
            machine,
            pool + "-" + machine,
            Replica.REGION,
            Replica.TEMPLATE,
            Keep.ALWAYS,
            boot,
            null,
            new MachineState.Provisioning(boot),
            null);
    String sealed = sealed(machine, boot);
    return store
        .book()
        .move(mandate, new Move.Enrol(booked))
        .compose(any -> store.book().move(mandate, new Move.Boot(machine, "fdaa:0:1::2")))
        .compose(any -> store.book().move(mandate, new Move.Stage(machine, boot, sealed)))
        .compose(any -> store.book().prove(mandate, new Proof(machine, boot, boot, boot), terms));
  }

  private String sealed(MachineId machine, Instant boot) {
    return seals.seal(
        new Credentials("viewer", Secret.of("a-one-time-password")),
        new SealedCredentials.Binding(pool, machine, Long.toString(boot.toEpochMilli())));
  }
}
