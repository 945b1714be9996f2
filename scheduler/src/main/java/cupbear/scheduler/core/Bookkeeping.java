// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Proof;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the store has of a Machine after a move it agreed to: lets a leader go on at once, without
 * waiting for the next snapshot. The snapshot has the last word.
 */
public final class Bookkeeping {
  private Bookkeeping() {}

  /** Empty when the Machine leaves the book. */
  public static Optional<Booked> after(Booked before, Move move, Instant now) {
    return switch (move) {
      case Move.Enrol enrol -> Optional.of(enrol.booked());
      case Move.Adopt adopt -> Optional.of(adopt.booked());
      case Move.Restart restart -> Optional.of(restarted(before, restart, now));
      case Move.Boot boot -> Optional.of(booted(before, boot, now));
      case Move.Stage any -> state(before, new MachineState.Proving(before.state().since(), true));
      case Move.Doubt any -> state(before, new MachineState.Proving(now, true));
      case Move.Retire any -> state(before, new MachineState.Draining(now, Cleaning.NOTHING));
      case Move.Condemn any -> state(before, new MachineState.Condemned(now, false));
      case Move.Clean clean -> state(before, cleaned(before, clean));
      case Move.Park any -> state(before, new MachineState.Parked(now));
      case Move.Forget any -> Optional.empty();
    };
  }

  /** The same Machine, standing elsewhere. */
  public static Booked standing(Booked before, MachineState state) {
    return with(before, before.keep(), before.bootedAt(), before.address(), state, before.proof());
  }

  private static Optional<Booked> state(Booked before, MachineState state) {
    return Optional.of(standing(before, state));
  }

  private static MachineState cleaned(Booked before, Move.Clean clean) {
    Cleaning cleaning = clean.succeeded() ? Cleaning.DONE : Cleaning.FAILED;
    return new MachineState.Draining(before.state().since(), cleaning);
  }

  private static Booked restarted(Booked before, Move.Restart restart, Instant now) {
    MachineState state = new MachineState.Provisioning(now);
    return with(before, restart.keep(), restart.bootedAt(), null, state, null);
  }

  private static Booked booted(Booked before, Move.Boot boot, Instant now) {
    MachineState state = new MachineState.Proving(now, false);
    return with(before, before.keep(), before.bootedAt(), boot.address(), state, before.proof());
  }

  private static Booked with(
      Booked before,
      Keep keep,
      Instant bootedAt,
      @Nullable String address,
      MachineState state,
      @Nullable Proof proof) {
    return new Booked(
        before.id(),
        before.name(),
        before.region(),
        before.template(),
        keep,
        bootedAt,
        address,
        state,
        proof);
  }
}
