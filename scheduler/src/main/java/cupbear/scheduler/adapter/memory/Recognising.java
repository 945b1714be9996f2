// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts back a grant that the store has lost, told by the replica that made it or by the receipt of
 * the gateway that has it. Of two grants of one Machine the one with the higher epoch is true.
 */
final class Recognising {
  /** What becomes of it. */
  enum Outcome {
    PUT_BACK,
    /** The store has it, or knows that it is over. */
    KNOWN,
    /** Made since the last loss: the store would have it if it lived. */
    NOT_LOST,
    /** Its Machine has a newer grant, or is on its way out. */
    TAKEN
  }

  /** Older than any real one: replaced as soon as its session is over. */
  private static final TemplateVersion UNKNOWN_TEMPLATE = new TemplateVersion("0");

  private final Step step;
  private final PoolState pool;
  private final Generation generation;

  Recognising(Step step) {
    this.step = step;
    this.pool = step.pool;
    if (pool.generation == null) throw new IllegalStateException("no generation yet");
    this.generation = pool.generation;
  }

  Outcome recognise(Grant grant) {
    SessionRow session = pool.sessions.find(grant.session());
    if (session != null && !session.epoch().isOlderThan(grant.epoch())) return Outcome.KNOWN;
    if (session != null && !session.isLive()) return Outcome.KNOWN;
    if (grant.epoch().value() > generation.number) return Outcome.NOT_LOST;
    MachineRow machine = pool.machine(grant.machine());
    if (machine != null && !isStillItsOwn(machine, grant)) return Outcome.TAKEN;
    putBack(grant, session, machine == null ? enter(grant) : machine);
    return Outcome.PUT_BACK;
  }

  /**
   * Its session ended in what was lost: the Machine must be wiped before it serves again, and who
   * still takes the session for alive is wrong.
   */
  void over(Grant grant) {
    SessionRow session = pool.sessions.find(grant.session());
    if (session != null && session.isLive() && !grant.epoch().isOlderThan(session.epoch())) {
      MachineRow held = new Ending(step).heldMachine(session);
      String detail = "it ended before the loss";
      new Ending(step).end(session, Ended.RELEASED, session.terms.keyKept(), detail);
      if (held != null) drain(held, grant);
    }
    MachineRow machine = pool.machine(grant.machine());
    if (machine != null && !isStillItsOwn(machine, grant)) return;
    if (machine != null && machine.state instanceof MachineState.Assigned) return;
    MachineRow used = machine == null ? enter(grant) : machine;
    used.lastEpoch = grant.epoch();
    drain(used, grant);
    step.note(EntryKind.MACHINE_UNCLAIMED, used, "its session ended before the loss");
  }

  /** No more is known than that this grant is over: a later one of its Machine may yet be told. */
  private void drain(MachineRow machine, Grant over) {
    pool.shelf.remove(machine.id);
    pool.unknown.remove(machine.id);
    machine.sealed = null;
    machine.state = new MachineState.Draining(step.now, MachineState.Cleaning.DUE);
    machine.changedAt = over.grantedAt();
  }

  private boolean isStillItsOwn(MachineRow machine, Grant grant) {
    if (!machine.lastEpoch.isOlderThan(grant.epoch())) return false;
    if (machine.bootedAt.isAfter(grant.proof().bootedAt())) return false;
    return switch (machine.standing()) {
      case UNKNOWN, PROVING, WARM, ASSIGNED -> true;
      // Taken out of service after this grant was made: then the grant is over.
      case PROVISIONING, DRAINING, PARKED -> !machine.changedAt.isAfter(grant.grantedAt());
      case CONDEMNED -> false;
    };
  }

  private MachineRow enter(Grant grant) {
    MachineRow row = nameless(grant.machine(), grant.region(), step.now);
    pool.add(row);
    return row;
  }

  /** One of which only the id is known; the region's leader says the rest, if it remembers. */
  static MachineRow nameless(MachineId id, Region region, Instant now) {
    MachineState unknown = new MachineState.Unknown(now);
    Booked booked =
        new Booked(
            id,
            id.value(),
            region,
            UNKNOWN_TEMPLATE,
            Keep.ALWAYS,
            Instant.EPOCH,
            null,
            unknown,
            null);
    return new MachineRow(booked, unknown, Instant.EPOCH);
  }

  private void putBack(Grant grant, @Nullable SessionRow known, MachineRow machine) {
    supersede(machine);
    SessionRow session = known == null ? new SessionRow(grant, step.now) : known;
    session.untold = session.grant != null;
    if (known == null) pool.sessions.add(session);
    else giveUpOldMachine(session);
    pool.queue.leave(session.id);
    pool.shelf.remove(machine.id);
    pool.unknown.remove(machine.id);
    machine.become(new MachineState.Assigned(step.now, session.id, grant.epoch()));
    machine.lastEpoch = grant.epoch();
    machine.bootedAt = grant.proof().bootedAt();
    machine.address = grant.address();
    machine.proof = grant.proof();
    machine.sealed = grant.sealed();
    session.stage = Stage.GRANTED;
    session.grant = grant;
    session.lostAt = null;
    if (session.startedAt == null) session.startedAt = grant.grantedAt();
    pool.sessions.due(session, step.now.plus(step.rules.recognisedLease()));
    if (!session.key.isEmpty() && pool.keys.find(session.caller, session.key) == null) {
      pool.keys.keep(session, step.now.plus(session.terms.keyKept()));
    }
    String why = "the store had lost it";
    step.note(EntryKind.SESSION_RECOGNISED, session, why, Map.of());
  }

  /** Whoever the store still takes for its user is gone since. */
  void supersede(MachineRow machine) {
    if (!(machine.state instanceof MachineState.Assigned assigned)) return;
    SessionRow other = pool.sessions.find(assigned.session());
    if (other == null || !other.isLive()) return;
    String detail = "its Machine was given to another session since";
    new Ending(step).end(other, Ended.MACHINE_LOST, other.terms.keyKept(), detail);
  }

  /** A replacement was lost: the Machine it had before is dead or used. */
  private void giveUpOldMachine(SessionRow session) {
    MachineRow old = new Ending(step).heldMachine(session);
    if (old != null) drain(old, session.mustGrant());
  }
}
