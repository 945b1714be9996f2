// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired.Bounds;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * No more run than are wanted. Whenever a Machine comes up, the ones in its region that are up for
 * nobody are counted: running, able to serve, not cordoned, and by the store's word coming up,
 * proven, parked (a start under way), or unknown (a create under way). They may be as many as
 * warm_max, or one above warm_min where a pool without room has to roll, plus {@link #IN_FLIGHT}.
 * What is assigned, draining or condemned runs for a reason of its own and is not counted, nor is
 * what has failed and waits to be found out.
 */
final class Headroom {
  /** One that is being replaced while nobody has condemned it yet, per region. */
  private static final int IN_FLIGHT = 2;

  /** The shortest time after which an unproven Machine may be given up and replaced. */
  private static final Duration BOOT_DEADLINE = Duration.ofSeconds(30);

  private final Court court;
  private final Agenda agenda;
  private final Function<Region, Bounds> bounds;
  private final Function<Region, Optional<Snapshot>> store;
  private @Nullable SimFly fly;

  Headroom(
      Court court,
      Agenda agenda,
      Function<Region, Bounds> bounds,
      Function<Region, Optional<Snapshot>> store) {
    this.court = court;
    this.agenda = agenda;
    this.bounds = bounds;
    this.store = store;
  }

  void over(SimFly truth) {
    fly = truth;
  }

  void changed(SimMachine machine) {
    if (fly == null || !machine.ours || machine.power != Power.COMING_UP) return;
    Optional<Snapshot> snapshot = store.apply(machine.region);
    if (snapshot.isEmpty()) return;
    court.check();
    List<String> idle = upForNobody(fly, machine.region, snapshot.get());
    Bounds limits = bounds.apply(machine.region);
    int most = Math.max(limits.warmMax(), limits.warmMin() + 1) + IN_FLIGHT;
    if (idle.size() > most) {
      court.violated(
          "no-more-than-wanted",
          "%d run for nobody in %s, %d are allowed: %s"
              .formatted(idle.size(), machine.region, most, idle));
    }
  }

  /** By the store's own word. */
  boolean isAssigned(SimMachine machine) {
    return store
        .apply(machine.region)
        .map(seen ->
            seen.machines().stream()
                .anyMatch(each ->
                    each.id().equals(machine.id) && each.state().standing() == Standing.ASSIGNED))
        .orElse(false);
  }

  private List<String> upForNobody(SimFly truth, Region region, Snapshot snapshot) {
    Map<MachineId, MachineState> states = new HashMap<>();
    for (Booked booked : snapshot.machines()) states.put(booked.id(), booked.state());
    List<String> found = new ArrayList<>();
    for (SimMachine each : truth.machines()) {
      if (!each.ours || !each.region.equals(region) || !isUpAndWell(each)) continue;
      boolean aside =
          snapshot.marks().cordoned().contains(each.id)
              || snapshot.marks().drain().contains(each.id);
      MachineState state = states.get(each.id);
      if (!aside && isForNobody(each, state, snapshot.at())) {
        found.add(each.id + (state == null ? " in no book" : " " + state.standing().word()));
      }
    }
    return found;
  }

  private boolean isUpAndWell(SimMachine machine) {
    if (machine.exitedAt != null || !machine.hostOk) return false;
    if (machine.power == Power.RUNNING) {
      return machine.isHealthy(agenda.nanos()) || !isLate(machine);
    }
    return machine.power == Power.COMING_UP && !isLate(machine);
  }

  /**
   * A scheduler that was blind for a while gives up what it could not prove meanwhile, stops what
   * somebody started and nobody booked, and takes for gone what is in no book and missing from two
   * lists. What rises late all the same finds its replacement on the way.
   */
  private boolean isForNobody(SimMachine machine, @Nullable MachineState state, Instant now) {
    if (!isForNobody(state == null ? null : state.standing())) return false;
    return state instanceof MachineState.Warm warm
        ? !isLateRiser(machine, Duration.between(warm.since(), now))
        : !isLate(machine);
  }

  /** Proven long after its boot, and not long ago: the creates it was missed by still queue. */
  private boolean isLateRiser(SimMachine machine, Duration warm) {
    long provenAfter = agenda.nanos() - machine.bootedAt - warm.toNanos();
    return provenAfter > BOOT_DEADLINE.toNanos() && warm.compareTo(BOOT_DEADLINE) < 0;
  }

  private boolean isLate(SimMachine machine) {
    return agenda.nanos() - machine.bootedAt > BOOT_DEADLINE.toNanos();
  }

  private static boolean isForNobody(@Nullable Standing standing) {
    if (standing == null) return true;
    return switch (standing) {
      case PROVISIONING, PROVING, WARM, PARKED -> true;
      case ASSIGNED, DRAINING, CONDEMNED, UNKNOWN -> false;
    };
  }
}
