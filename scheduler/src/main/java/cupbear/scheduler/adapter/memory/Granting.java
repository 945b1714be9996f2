// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Snapshot.Waited;
import cupbear.scheduler.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a free Machine and a session find each other: the one place where a grant is made. */
final class Granting {
  private final Step step;
  private final PoolState pool;

  Granting(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  /** The best Machine of the first region that has one. */
  Optional<MachineRow> choose(List<Region> regions) {
    if (!isGranting()) return Optional.empty();
    for (Region region : regions) {
      if (pool.marks.isClosed(region)) continue;
      Optional<MachineRow> best = pool.shelf.best(region, step.now).map(pool::machine);
      if (best.isPresent()) return best;
    }
    return Optional.empty();
  }

  /**
   * A warm Machine is free: the first waiter that may have it gets it, else it goes on the shelf.
   *
   * @param terms for the waiter; null for those it asked under
   */
  Optional<Grant> offer(MachineRow machine, @Nullable Terms terms) {
    if (pool.marks.isKeptBack(machine.id)) return Optional.empty();
    Optional<SessionRow> waiter = firstWaiter(machine.region);
    if (waiter.isEmpty()) {
      pool.shelf.put(machine, step.rules);
      return Optional.empty();
    }
    SessionRow session = waiter.get();
    Grant grant = grant(session, machine, terms == null ? session.terms : terms);
    step.tell(grant);
    return Optional.of(grant);
  }

  /** A region is open again: its shelf goes to those who wait for it. */
  void serveFrom(Region region) {
    while (firstWaiter(region).isPresent()) {
      Optional<MachineRow> best = choose(List.of(region));
      if (best.isEmpty()) return;
      pool.shelf.remove(best.get().id);
      offer(best.get(), null);
    }
  }

  private Optional<SessionRow> firstWaiter(Region region) {
    if (pool.marks.isClosed(region) || !isGranting()) return Optional.empty();
    Optional<SessionId> first = pool.queue.first(region);
    while (first.isPresent()) {
      SessionRow row = pool.sessions.find(first.get());
      if (row != null && !isTooLate(row)) return Optional.of(row);
      if (row != null) new Ending(step).withdraw(row, "its time in the queue is over");
      else pool.queue.leave(first.get());
      first = pool.queue.first(region);
    }
    return Optional.empty();
  }

  /** Nobody listens any more to a call past its deadline; a lost session is judged by its lease. */
  private boolean isTooLate(SessionRow row) {
    return row.stage == Stage.WAITING && !row.due.isAfter(step.now);
  }

  private boolean isGranting() {
    return pool.generation != null && !pool.generation.open;
  }

  Grant grant(SessionRow session, MachineRow machine, Terms terms) {
    boolean replaces = session.startedAt != null;
    Epoch epoch = step.nextEpoch();
    Grant grant = write(session, machine, epoch, confirmBy(session, terms));
    pool.shelf.remove(machine.id);
    machine.become(new MachineState.Assigned(step.now, session.id, epoch));
    machine.lastEpoch = epoch;
    pool.queue.serve(session.id);
    session.stage = Stage.GRANTED;
    session.grant = grant;
    session.lostAt = null;
    session.untold = replaces;
    if (session.startedAt == null) session.startedAt = step.now;
    pool.sessions.due(session, earlier(grant.confirmBy(), session.maxUntil(terms.maxSession())));
    if (!replaces) waited(grant);
    EntryKind kind = replaces ? EntryKind.SESSION_REPLACED : EntryKind.SESSION_GRANTED;
    String waited = Long.toString(grant.waited().toMillis());
    step.note(kind, session, "a Machine was free", Map.of("waited_ms", waited));
    return grant;
  }

  private Grant write(SessionRow session, MachineRow machine, Epoch epoch, Instant confirmBy) {
    if (machine.address == null || machine.proof == null) {
      throw new IllegalStateException(machine.id + " is warm without address and proof");
    }
    return new Grant(
        pool.name,
        session.id,
        session.caller,
        session.key,
        session.fingerprint,
        machine.id,
        machine.region,
        machine.address,
        epoch,
        step.now,
        Duration.between(session.waitingSince, step.now),
        confirmBy,
        machine.proof,
        machine.sealed);
  }

  /** A gateway hears of a replacement on its next renew, so it has its lease to do so. */
  private Instant confirmBy(SessionRow session, Terms terms) {
    Instant usual = step.now.plus(terms.confirmWithin());
    boolean hasLease = session.startedAt != null && session.due.isAfter(usual);
    return hasLease ? session.due : usual;
  }

  private void waited(Grant grant) {
    Waited waited = new Waited(step.now, grant.waited());
    pool.figures.waited(grant.region(), waited, step.rules.waitsKept());
  }

  static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
