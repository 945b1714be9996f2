// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends what is overdue: {@code expire.lua}.
 *
 * <p>A leader asks for it with every tick. When nobody has asked for as long as a gateway has to
 * renew, then nobody could reach the store, gateways neither; so those get one renew window before
 * any lease is judged. An outage of the store ends no session.
 */
final class Expiring {
  private final Step step;
  private final PoolState pool;

  Expiring(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  List<SessionView> expire(Terms terms) {
    watch(terms);
    List<SessionView> ended = new ArrayList<>();
    while (ended.size() < step.rules.expireMost()) {
      Optional<SessionRow> due = firstDue();
      if (due.isEmpty()) break;
      end(due.get(), terms);
      ended.add(due.get().view());
    }
    if (!isGrace()) drainUnclaimed(terms);
    return ended;
  }

  private Optional<SessionRow> firstDue() {
    Optional<SessionRow> waiter = pool.sessions.firstWaiterDue(step.now);
    if (waiter.isPresent() || isGrace()) return waiter;
    return pool.sessions.firstLeaseDue(step.now);
  }

  private void watch(Terms terms) {
    Instant blindSince = pool.watchedAt.plus(terms.renewWithin());
    if (blindSince.isBefore(step.now)) pool.graceUntil = step.now.plus(terms.renewWithin());
    pool.watchedAt = step.now;
  }

  private boolean isGrace() {
    return step.now.isBefore(pool.graceUntil);
  }

  private void end(SessionRow session, Terms terms) {
    Ending ending = new Ending(step);
    switch (session.stage) {
      case WAITING -> ending.withdraw(session, "its time in the queue is over");
      case LOST -> ending.end(session, Ended.MACHINE_LOST, terms.keyKept(), "its Machine died");
      case GRANTED, CONNECTED ->
          ending.end(session, why(session, terms), terms.keyKept(), "it is overdue");
      case ENDED -> pool.sessions.retire(session, step.now);
    }
  }

  private Ended why(SessionRow session, Terms terms) {
    if (!step.now.isBefore(session.maxUntil(terms.maxSession()))) return Ended.MAX_DURATION;
    return session.stage == Stage.GRANTED ? Ended.NOT_CONFIRMED : Ended.LEASE_EXPIRED;
  }

  /** A whole lease has passed, and no renewal claimed it: whoever had it has given up. */
  private void drainUnclaimed(Terms terms) {
    for (int i = 0; i < step.rules.expireMost(); i++) {
      Optional<MachineId> due = pool.unknown.popDue(step.now.minus(terms.lease()));
      if (due.isEmpty()) return;
      MachineRow row = pool.machine(due.get());
      if (row == null || row.standing() != Standing.UNKNOWN) continue;
      row.become(new MachineState.Draining(step.now, Cleaning.DUE));
      step.note(EntryKind.MACHINE_UNCLAIMED, row, "no session came for it");
    }
  }
}
