// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.StoreState;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Getting over lost data: {@code recover.lua}. The only steps that walk all Machines of a pool or
 * region, and they run once per loss.
 */
final class Recovering {
  /** Where a Machine stands that should not be tagged as in use. */
  private static final Set<Standing> UNEXPLAINED =
      Set.of(Standing.PROVISIONING, Standing.PROVING, Standing.WARM, Standing.PARKED);

  private final Step step;
  private final PoolState pool;

  Recovering(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  /** Can what is here be believed? If not, a new generation begins. */
  Generation look() {
    Generation known = pool.generation;
    if (known == null || !known.server.equals(step.server)) return open();
    settle(known);
    return known;
  }

  /** Granting goes on when all have reported, or when the time for it is over. */
  void settle(Generation generation) {
    if (!generation.open || !generation.isDone(step.now)) return;
    generation.open = false;
    step.note(EntryKind.STORE_READY, null, null, "the replicas have said what they remember");
    Granting granting = new Granting(step);
    for (Region region : pool.regions()) granting.serveFrom(region);
  }

  private Generation open() {
    long micros = TimeUnit.SECONDS.toMicros(step.now.getEpochSecond()) + step.now.getNano() / 1000;
    pool.epoch = Math.max(pool.epoch + 1, micros);
    Instant heldUntil = step.now.plus(step.rules.hold());
    Generation generation = new Generation(pool.epoch, step.server, step.now, heldUntil);
    Instant lately = step.now.minus(step.rules.replicaKept());
    generation.awaited.addAll(pool.replicas.since(lately));
    pool.generation = generation;
    // Renewals may be among what was lost: no gateway was promised less than a lease from now.
    pool.graceUntil = later(pool.graceUntil, step.now.plus(step.rules.recognisedLease()));
    pool.leaders.removeAll();
    for (Region region : pool.regions()) pool.machines(region).forEach(this::doubt);
    step.note(EntryKind.STORE_RECOVERING, null, null, "data may be missing");
    return generation;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** It may have been given away in what was lost. */
  private void doubt(MachineRow row) {
    if (row.standing() != Standing.WARM) return;
    pool.shelf.remove(row.id);
    row.state = new MachineState.Proving(step.now, row.sealed != null);
  }

  StoreState report(Generation generation, ReplicaReport report) {
    generation.reported.add(report.replica());
    generation.awaited.addAll(new TreeSet<>(report.peers()));
    pool.left.since(Instant.MIN).forEach(generation.awaited::remove);
    Recognising recognising = new Recognising(step);
    report.grants().stream()
        .sorted(Comparator.comparing(Grant::epoch))
        .forEach(recognising::recognise);
    report.ended().forEach(recognising::over);
    settle(generation);
    return state(generation);
  }

  StoreState report(Generation generation, Region region, RegionReport report) {
    if (generation.regions.add(region)) {
      report.remembered().stream()
          .filter(booked -> booked.region().equals(region))
          .sorted(Comparator.comparing(Booked::id))
          .forEach(this::remember);
      for (MachineId id : new TreeSet<>(report.taggedInUse())) inUse(id, region);
    }
    settle(generation);
    return state(generation);
  }

  StoreState state(Generation generation) {
    return generation.state(pool.leaders.led(step.now));
  }

  /** What the leader saw in its newest snapshot may be younger than what is left here. */
  private void remember(Booked booked) {
    MachineRow row = pool.machine(booked.id());
    if (row == null) {
      row = new MachineRow(booked, doubtful(booked.state()), booked.state().since());
      pool.add(row);
      keepTrack(row);
      step.note(EntryKind.MACHINE_REMEMBERED, row, "its leader remembers it");
      return;
    }
    row.name = booked.name();
    row.template = booked.template();
    row.keep = booked.keep();
    if (!isYounger(booked, row)) return;
    new Recognising(step).supersede(row);
    row.bootedAt = booked.bootedAt();
    row.address = booked.address();
    row.proof = booked.proof();
    row.sealed = null;
    row.state = doubtful(booked.state());
    row.changedAt = booked.state().since();
    keepTrack(row);
    step.note(EntryKind.MACHINE_REMEMBERED, row, "its leader remembers more of it");
  }

  private static boolean isYounger(Booked booked, MachineRow row) {
    if (row.standing() == Standing.CONDEMNED) return false;
    if (booked.state() instanceof MachineState.Assigned assigned) {
      return row.lastEpoch.isOlderThan(assigned.epoch());
    }
    // A session that the store has is ended by its lease, not by what somebody remembers.
    return row.standing() != Standing.ASSIGNED && booked.state().since().isAfter(row.changedAt);
  }

  /** As it was, but nothing is warm, and nothing is in use before a grant says so. */
  private MachineState doubtful(MachineState state) {
    return switch (state) {
      case MachineState.Warm any -> new MachineState.Proving(step.now, false);
      case MachineState.Proving any -> new MachineState.Proving(step.now, false);
      case MachineState.Assigned any -> new MachineState.Unknown(step.now);
      case MachineState.Unknown any -> new MachineState.Unknown(step.now);
      case MachineState.Provisioning same -> same;
      case MachineState.Draining same -> same;
      case MachineState.Parked same -> same;
      case MachineState.Condemned same -> same;
    };
  }

  private void keepTrack(MachineRow row) {
    if (row.standing() == Standing.UNKNOWN) pool.unknown.put(row.id, row.state.since());
    else pool.unknown.remove(row.id);
  }

  /** Tagged as in use, and no grant explains it. */
  private void inUse(MachineId id, Region region) {
    MachineRow row = pool.machine(id);
    if (row == null) {
      row = Recognising.nameless(id, region, step.now);
      pool.add(row);
    } else if (UNEXPLAINED.contains(row.standing())) {
      row.state = new MachineState.Unknown(step.now);
    } else {
      return;
    }
    keepTrack(row);
    step.note(EntryKind.MACHINE_UNKNOWN, row, "tagged as in use, and no grant explains it");
  }
}
