// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.Bookkeeping;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the store has of this regional pool, as its leader knows it: the newest snapshot, and the
 * moves the store has agreed to since. Only the leader takes Machines out of the book, so one that
 * is missing without our doing means that the store lost data: then this memory is worth more than
 * the snapshot, until the store has been looked at.
 */
final class Ledger {
  /** Longer than any snapshot is under way. */
  private static final Duration MOVES_KEPT = Duration.ofMinutes(1);

  private final SortedMap<MachineId, Booked> machines = new TreeMap<>();
  private final Map<MachineId, Instant> moved = new TreeMap<>();
  private final Map<MachineId, Instant> leaving = new TreeMap<>();
  private @Nullable View view;
  private Marks marks = Marks.NONE;
  private @Nullable Instant bookedAt;
  private boolean believing;

  Ledger(List<Booked> remembered) {
    remembered.forEach(booked -> machines.put(booked.id(), booked));
  }

  /**
   * All Machines, by id, and some of them by how they stand. Asked for with every event, so made
   * only when something changed: as long as it is the same object, it is the same book.
   */
  record View(
      List<Booked> all, List<Booked> proving, List<MachineId> assigned, Set<MachineId> ids) {
    private static View of(SortedMap<MachineId, Booked> machines) {
      List<Booked> proving = new ArrayList<>();
      List<MachineId> assigned = new ArrayList<>();
      machines.forEach((id, machine) -> {
        Standing standing = machine.state().standing();
        if (standing == Standing.PROVING) proving.add(machine);
        if (standing == Standing.ASSIGNED) assigned.add(id);
      });
      return new View(
          List.copyOf(machines.values()), proving, assigned, Set.copyOf(machines.keySet()));
    }
  }

  View view() {
    if (view == null) view = View.of(machines);
    return view;
  }

  List<Booked> machines() {
    return view().all();
  }

  @Nullable Booked find(MachineId machine) {
    return machines.get(machine);
  }

  Set<MachineId> ids() {
    return view().ids();
  }

  Marks marks() {
    return marks;
  }

  /** When the newest believed snapshot was asked for; null before the first. */
  @Nullable Instant bookedAt() {
    return bookedAt;
  }

  /** The store was looked at after our doubt, and is well: its next word counts as it is. */
  void believe() {
    believing = true;
  }

  /**
   * A snapshot arrived; says whether it was believed.
   *
   * @param askedAt it may not show what the store agreed to after this moment
   */
  boolean take(Snapshot snapshot, Instant askedAt) {
    SortedMap<MachineId, Booked> next = new TreeMap<>();
    snapshot.machines().forEach(booked -> next.put(booked.id(), booked));
    if (!believing && lacksSome(next.keySet())) return false;
    believing = false;
    keepNewerWord(next, askedAt);
    view = null;
    machines.clear();
    machines.putAll(next);
    marks = snapshot.marks();
    bookedAt = askedAt;
    moved.values().removeIf(at -> at.isBefore(askedAt.minus(MOVES_KEPT)));
    leaving.values().removeIf(at -> at.isBefore(askedAt.minus(MOVES_KEPT)));
    return true;
  }

  /** It may leave the book from now on. */
  void letGo(MachineId machine, Instant now) {
    leaving.put(machine, now);
  }

  /** What a task has changed in the store is so from now on. */
  void done(Task task, Instant now) {
    switch (task) {
      case Task.Start start ->
          moved(
              new Move.Restart(start.action().machine(), start.action().keep(), start.askedAt()),
              now);
      case Task.Stage stage ->
          moved(new Move.Stage(stage.action().machine(), stage.bootedAt(), ""), now);
      case Task.Shift shift -> moved(shift.move(), now);
      case Task.Teardown torn -> moved(new Move.Clean(torn.action().machine(), true), now);
      case Task.Destroy destroy -> moved(new Move.Condemn(destroy.action().machine()), now);
      case Task.Lose lose ->
          stands(lose.action().machine(), new MachineState.Condemned(now, true), now);
      case Task.Make any -> {}
      case Task.Stop any -> {}
      case Task.Retag any -> {}
    }
  }

  /** The store agreed to a move. */
  void moved(Move move, Instant now) {
    Booked before = machines.get(move.machine());
    if (before == null) return;
    Optional<Booked> after = Bookkeeping.after(before, move, now);
    view = null;
    if (after.isPresent()) machines.put(move.machine(), after.get());
    else machines.remove(move.machine());
    moved.put(move.machine(), now);
  }

  /** The store says that it stands so now. */
  void stands(MachineId machine, MachineState state, Instant now) {
    Booked before = machines.get(machine);
    if (before == null) return;
    view = null;
    machines.put(machine, Bookkeeping.standing(before, state));
    moved.put(machine, now);
  }

  private boolean lacksSome(Set<MachineId> shown) {
    for (MachineId machine : machines.keySet()) {
      if (!shown.contains(machine) && !leaving.containsKey(machine)) return true;
    }
    return false;
  }

  private void keepNewerWord(SortedMap<MachineId, Booked> next, Instant askedAt) {
    moved.forEach((machine, at) -> {
      if (at.isBefore(askedAt)) return;
      Booked ours = machines.get(machine);
      if (ours != null) next.put(machine, ours);
      else next.remove(machine);
    });
  }
}
