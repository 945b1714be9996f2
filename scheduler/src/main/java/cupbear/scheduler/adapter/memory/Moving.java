// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.MachineState.Condemned;
import cupbear.scheduler.model.MachineState.Draining;
import cupbear.scheduler.model.MachineState.Parked;
import cupbear.scheduler.model.MachineState.Proving;
import cupbear.scheduler.model.MachineState.Provisioning;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Standing;
import org.jspecify.annotations.Nullable;

/**
 * The moves that depend on nothing but where a Machine stands: {@code move.lua}. The move itself
 * says from where; what is left here is what else changes.
 */
final class Moving {
  private final Step step;
  private final PoolState pool;

  Moving(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  Moved move(Mandate mandate, Move move) {
    MachineRow row = pool.machine(move.machine());
    if (row == null) return enter(mandate, move);
    Standing from = row.standing();
    boolean fits =
        move.from().contains(from)
            && row.region.equals(mandate.region())
            && isAboutThisBoot(row, move);
    if (!fits) return new Moved.Refused(from);
    pool.shelf.remove(row.id);
    EntryKind kind = carryOut(row, move);
    step.note(kind, row, "its leader says so");
    return new Moved.Done(from, move.to());
  }

  private Moved enter(Mandate mandate, Move move) {
    @Nullable Booked booked =
        switch (move) {
          case Move.Enrol enrol -> enrol.booked();
          case Move.Adopt adopt -> adopt.booked();
          case Move.Restart any -> null;
          case Move.Boot any -> null;
          case Move.Stage any -> null;
          case Move.Doubt any -> null;
          case Move.Retire any -> null;
          case Move.Condemn any -> null;
          case Move.Clean any -> null;
          case Move.Park any -> null;
          case Move.Forget any -> null;
        };
    if (booked == null || !booked.region().equals(mandate.region())) {
      return new Moved.Refused(null);
    }
    boolean made = move instanceof Move.Enrol;
    MachineState state = made ? new Provisioning(step.now) : new Draining(step.now, left(booked));
    MachineRow row = new MachineRow(booked, state, step.now);
    row.proof = null;
    pool.add(row);
    step.note(
        made ? EntryKind.MACHINE_ENROLLED : EntryKind.MACHINE_ADOPTED,
        row,
        made ? "Fly accepted its creation" : "ours by its tag, in no book");
    return new Moved.Done(move.to(), move.to());
  }

  private static Cleaning left(Booked stray) {
    return stray.state() instanceof Draining draining ? draining.cleaning() : Cleaning.NOTHING;
  }

  private static boolean isAboutThisBoot(MachineRow row, Move move) {
    return !(move instanceof Move.Stage stage) || stage.bootedAt().equals(row.bootedAt);
  }

  private EntryKind carryOut(MachineRow row, Move move) {
    return switch (move) {
      case Move.Enrol any -> throw new IllegalStateException("enrols what is enrolled: " + row.id);
      case Move.Adopt any -> throw new IllegalStateException("adopts what is booked: " + row.id);
      case Move.Restart restart -> restart(row, restart);
      case Move.Boot boot -> {
        row.address = boot.address();
        row.become(new Proving(step.now, false));
        yield EntryKind.MACHINE_BOOTED;
      }
      case Move.Stage stage -> {
        row.sealed = stage.sealed();
        row.state = new Proving(row.state.since(), true);
        yield EntryKind.MACHINE_STAGED;
      }
      case Move.Doubt any -> {
        row.become(new Proving(step.now, row.sealed != null));
        yield EntryKind.MACHINE_DOUBTED;
      }
      case Move.Retire any -> {
        row.sealed = null;
        row.become(new Draining(step.now, Cleaning.NOTHING));
        yield EntryKind.MACHINE_RETIRED;
      }
      case Move.Condemn any -> {
        row.sealed = null;
        row.become(new Condemned(step.now, false));
        yield EntryKind.MACHINE_CONDEMNED;
      }
      case Move.Clean clean -> {
        Cleaning cleaning = clean.succeeded() ? Cleaning.DONE : Cleaning.FAILED;
        row.state = new Draining(row.state.since(), cleaning);
        yield EntryKind.MACHINE_CLEANED;
      }
      case Move.Park any -> {
        row.become(new Parked(step.now));
        yield EntryKind.MACHINE_PARKED;
      }
      case Move.Forget any -> {
        pool.forget(row);
        yield EntryKind.MACHINE_FORGOTTEN;
      }
    };
  }

  /** A new boot: nothing that was said about the one before holds. */
  private EntryKind restart(MachineRow row, Move.Restart restart) {
    row.keep = restart.keep();
    row.bootedAt = restart.bootedAt();
    row.address = null;
    row.proof = null;
    row.sealed = null;
    row.become(new Provisioning(step.now));
    return EntryKind.MACHINE_RESTARTED;
  }
}
