// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * A change of one Machine in the store that depends on nothing but where the Machine stands: done
 * if it stands so, refused otherwise. Moves that concern sessions or waiters are calls of their
 * own.
 */
public sealed interface Move {
  MachineId machine();

  /** Where it has to stand; empty for a Machine that the store must not know yet. */
  Set<Standing> from();

  Standing to();

  /** A create was accepted. */
  record Enrol(Booked booked) implements Move {
    @Override
    public MachineId machine() {
      return booked.id();
    }

    @Override
    public Set<Standing> from() {
      return EnumSet.noneOf(Standing.class);
    }

    @Override
    public Standing to() {
      return Standing.PROVISIONING;
    }
  }

  /** A stray enters the book, to be wiped. */
  record Adopt(Booked booked) implements Move {
    @Override
    public MachineId machine() {
      return booked.id();
    }

    @Override
    public Set<Standing> from() {
      return EnumSet.noneOf(Standing.class);
    }

    @Override
    public Standing to() {
      return Standing.DRAINING;
    }
  }

  /** A start was accepted. */
  record Restart(MachineId machine, Keep keep, Instant bootedAt) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.PARKED);
    }

    @Override
    public Standing to() {
      return Standing.PROVISIONING;
    }
  }

  /** Fly says started; the address may be another one than in its last boot. */
  record Boot(MachineId machine, String address) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.PROVISIONING);
    }

    @Override
    public Standing to() {
      return Standing.PROVING;
    }
  }

  /**
   * Its one-time credentials are on it.
   *
   * @param bootedAt the boot they were given to; a later boot has been wiped of them
   */
  record Stage(MachineId machine, Instant bootedAt, String sealed) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.PROVING);
    }

    @Override
    public Standing to() {
      return Standing.PROVING;
    }

    @Override
    public String toString() {
      return "Stage[" + machine + "]";
    }
  }

  record Doubt(MachineId machine) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.WARM);
    }

    @Override
    public Standing to() {
      return Standing.PROVING;
    }
  }

  record Retire(MachineId machine) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.WARM, Standing.PROVING);
    }

    @Override
    public Standing to() {
      return Standing.DRAINING;
    }
  }

  /** Never from {@code ASSIGNED}: a live session is lost or ended by calls of their own. */
  record Condemn(MachineId machine) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(
          Standing.PROVISIONING,
          Standing.PROVING,
          Standing.WARM,
          Standing.DRAINING,
          Standing.PARKED);
    }

    @Override
    public Standing to() {
      return Standing.CONDEMNED;
    }
  }

  /** The teardown playbook ran. */
  record Clean(MachineId machine, boolean succeeded) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.DRAINING);
    }

    @Override
    public Standing to() {
      return Standing.DRAINING;
    }
  }

  /** Fly says stopped: wiped. */
  record Park(MachineId machine) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.DRAINING);
    }

    @Override
    public Standing to() {
      return Standing.PARKED;
    }
  }

  /** Fly no longer has it: out of the book. */
  record Forget(MachineId machine) implements Move {
    @Override
    public Set<Standing> from() {
      return EnumSet.of(Standing.CONDEMNED);
    }

    @Override
    public Standing to() {
      return Standing.CONDEMNED;
    }
  }
}
