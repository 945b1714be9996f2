// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What must be so some time after everything has healed and everybody has left: each region has its
 * floor, no session and no waiter is left, and the book and Fly tell of the same Machines.
 */
final class Aftermath {
  /** What is on its way out or in takes this long at most, when nothing is wrong. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(2);

  private final Agenda agenda;
  private final Court court;
  private final SimStore store;
  private final SimFly fly;
  private final SimPool pool;

  Aftermath(Agenda agenda, Court court, SimStore store, SimFly fly, SimPool pool) {
    this.agenda = agenda;
    this.court = court;
    this.store = store;
    this.fly = fly;
    this.pool = pool;
  }

  void judge() {
    Set<MachineId> booked = new TreeSet<>();
    Set<MachineId> leaving = new TreeSet<>();
    for (Region region : SimPool.REGIONS) {
      Optional<Snapshot> snapshot = store.peek(region);
      court.check();
      if (snapshot.isEmpty()) {
        court.violated("store-recovers", "nothing can be read of " + region);
        return;
      }
      judge(region, snapshot.get());
      for (Booked each : snapshot.get().machines()) {
        booked.add(each.id());
        if (each.state().standing() == Standing.CONDEMNED) leaving.add(each.id());
      }
    }
    nothingOrphaned(booked, leaving);
    Optional<List<SessionView>> sessions = store.liveSessions();
    court.check();
    if (sessions.isEmpty() || !sessions.get().isEmpty()) {
      court.violated("sessions-end", "still there: " + sessions);
    }
  }

  private void judge(Region region, Snapshot snapshot) {
    court.check();
    long warm = count(snapshot, Standing.WARM);
    int floor = pool.bounds(region).warmMin();
    if (warm < floor) {
      court.violated(
          "floor-reached",
          "%d of %d warm in %s: %s".formatted(warm, floor, region, standings(snapshot)));
    }
    court.check();
    if (snapshot.waiting() > 0) {
      court.violated("queue-empties", snapshot.waiting() + " still wait in " + region);
    }
    court.check();
    if (snapshot.machines().stream().anyMatch(each -> isStuck(each, snapshot.at()))) {
      court.violated("nothing-stuck", "in %s: %s".formatted(region, standings(snapshot)));
    }
  }

  private static boolean isStuck(Booked machine, Instant now) {
    boolean longAgo = machine.state().since().plus(UNDER_WAY).isBefore(now);
    return switch (machine.state().standing()) {
      case ASSIGNED, UNKNOWN -> true;
      case CONDEMNED, DRAINING -> longAgo;
      case PROVISIONING, PROVING, WARM, PARKED -> false;
    };
  }

  /** One that is just being made or destroyed may be known to one side only. */
  private void nothingOrphaned(Set<MachineId> booked, Set<MachineId> leaving) {
    List<MachineId> unknown = new ArrayList<>();
    Set<MachineId> gone = new TreeSet<>(booked);
    gone.removeAll(leaving);
    for (SimMachine machine : fly.machines()) {
      if (!machine.ours || !machine.exists()) continue;
      gone.remove(machine.id);
      boolean justMade = agenda.nanos() - machine.bootedAt < UNDER_WAY.toNanos();
      if (!booked.contains(machine.id) && !justMade) unknown.add(machine.id);
    }
    court.check();
    if (!unknown.isEmpty()) {
      court.violated("nothing-orphaned", unknown + " run at Fly and are in no book");
    }
    if (!gone.isEmpty()) {
      court.violated("nothing-orphaned", gone + " are in the book and not at Fly");
    }
  }

  private static long count(Snapshot snapshot, Standing standing) {
    return snapshot.machines().stream().filter(each -> each.state().standing() == standing).count();
  }

  private static List<String> standings(Snapshot snapshot) {
    List<String> all = new ArrayList<>();
    for (Booked each : snapshot.machines()) {
      all.add(each.id() + " " + each.state().standing().word());
    }
    return all;
  }
}
