// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * Where a Machine stands in our own life cycle, as the store has it. The store is the authority;
 * what Fly says about the same Machine is a {@link Sighting}.
 */
public sealed interface MachineState {
  /** When this state was entered, by the store's clock. */
  Instant since();

  Standing standing();

  /** Created or started; Fly has not said "started" yet. */
  record Provisioning(Instant since) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.PROVISIONING;
    }
  }

  /**
   * Running, not (or no longer) trusted.
   *
   * @param staged the one-time credentials are on the Machine
   */
  record Proving(Instant since, boolean staged) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.PROVING;
    }
  }

  /** Proven and free: the only state that a session can be given. */
  record Warm(Instant since) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.WARM;
    }
  }

  /** In use by one session. Nothing stops or destroys it. */
  record Assigned(Instant since, SessionId session, Epoch epoch) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.ASSIGNED;
    }
  }

  /** Unassignable for good until its root file system has been wiped by a stop. */
  record Draining(Instant since, Cleaning cleaning) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.DRAINING;
    }
  }

  /** Stopped and wiped; can be started again. */
  record Parked(Instant since) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.PARKED;
    }
  }

  /**
   * On its way out; only destruction is left.
   *
   * @param lost a session was on it, and its gateway has yet to hear so
   */
  record Condemned(Instant since, boolean lost) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.CONDEMNED;
    }
  }

  /** The store lost data and may not know its session: nobody touches it until that is settled. */
  record Unknown(Instant since) implements MachineState {
    @Override
    public Standing standing() {
      return Standing.UNKNOWN;
    }
  }

  /** How far the teardown playbook of a draining Machine has come. */
  enum Cleaning {
    /** No session was on it: nothing to tear down. */
    NOTHING,
    DUE,
    DONE,
    FAILED
  }
}
