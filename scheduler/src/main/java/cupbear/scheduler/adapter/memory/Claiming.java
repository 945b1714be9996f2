// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.WaitResult.Leaving;
import cupbear.scheduler.model.Waiter;
import java.util.Map;
import java.util.Optional;

/** The way of a request to its Machine: {@code claim.lua} and {@code wait.lua}. */
final class Claiming {
  private final Step step;
  private final PoolState pool;

  Claiming(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  ClaimResult claim(ClaimRequest request) {
    Keys.Used used = pool.keys.find(request.caller(), request.key());
    if (used != null && !used.fingerprint().equals(request.fingerprint())) {
      return new ClaimResult.KeyReused();
    }
    if (used != null) {
      Optional<ClaimResult> again = again(used, request);
      if (again.isPresent()) return again.get();
    }
    return first(request);
  }

  /** The key is known: the same session, however far it has come. Empty when it may begin anew. */
  private Optional<ClaimResult> again(Keys.Used used, ClaimRequest request) {
    SessionRow session = pool.sessions.find(used.session());
    if (session == null) return Optional.of(new ClaimResult.KeySpent(used.session()));
    return switch (session.stage) {
      case WAITING -> joined(session, request);
      case GRANTED, CONNECTED -> {
        session.askedBy(request.proposed().mark());
        yield Optional.of(new ClaimResult.Granted(session.mustGrant(), true));
      }
      case LOST -> {
        if (!pool.queue.contains(session.id)) yield Optional.of(spent(session));
        session.askedBy(request.proposed().mark());
        yield Optional.of(queued(session));
      }
      case ENDED -> Optional.of(spent(session));
    };
  }

  private static ClaimResult spent(SessionRow session) {
    return new ClaimResult.KeySpent(session.id);
  }

  /** The newest call with the key stands in the place now, for as long as that one has time. */
  private Optional<ClaimResult> joined(SessionRow session, ClaimRequest request) {
    if (!session.due.isAfter(step.now)) {
      new Ending(step).withdraw(session, "its time in the queue is over");
      return Optional.empty();
    }
    if (request.patience().isZero()) return Optional.of(new ClaimResult.NoneWarm());
    session.askedBy(request.proposed().mark());
    pool.sessions.due(session, step.now.plus(request.patience()));
    return Optional.of(queued(session));
  }

  private ClaimResult queued(SessionRow session) {
    Waiter waiter = new Waiter(session.id, session.mark);
    return new ClaimResult.Queued(waiter, pool.queue.ahead(session.id));
  }

  private ClaimResult first(ClaimRequest request) {
    pool.figures.arrived(request.regions().getFirst());
    Granting granting = new Granting(step);
    Optional<MachineRow> machine = granting.choose(request.regions());
    if (machine.isEmpty()) return wait(request);
    SessionRow session = begin(request);
    return new ClaimResult.Granted(granting.grant(session, machine.get(), request.terms()), false);
  }

  private ClaimResult wait(ClaimRequest request) {
    if (request.patience().isZero()) return new ClaimResult.NoneWarm();
    if (pool.queue.size() >= request.terms().queueMax()) {
      return new ClaimResult.QueueFull(pool.queue.size());
    }
    SessionRow session = begin(request);
    pool.queue.join(session.id, session.tenant, session.regions);
    step.note(EntryKind.SESSION_QUEUED, session, "none is warm in its regions", Map.of());
    return queued(session);
  }

  private SessionRow begin(ClaimRequest request) {
    SessionRow session = new SessionRow(request, step.now);
    pool.sessions.add(session);
    pool.keys.keep(session, step.now.plus(request.terms().keyKept()));
    return session;
  }

  WaitResult look(Waiter waiter) {
    SessionRow session = pool.sessions.find(waiter.session());
    if (session == null) return new WaitResult.Unheard();
    if (session.stage == Stage.ENDED) return gone(session);
    if (!session.mark.equals(waiter.mark())) return new WaitResult.Superseded();
    return switch (session.stage) {
      case GRANTED, CONNECTED -> new WaitResult.Granted(session.mustGrant());
      case WAITING -> new WaitResult.StillWaiting(pool.queue.ahead(session.id));
      case LOST ->
          pool.queue.contains(session.id)
              ? new WaitResult.StillWaiting(pool.queue.ahead(session.id))
              : new WaitResult.Unheard();
      case ENDED -> gone(session);
    };
  }

  private static WaitResult gone(SessionRow session) {
    return session.ended == Ended.WITHDRAWN ? new WaitResult.Left() : new WaitResult.Unheard();
  }

  WaitResult leave(Waiter waiter, Leaving why) {
    WaitResult now = look(waiter);
    SessionRow session = pool.sessions.find(waiter.session());
    if (session == null) return now;
    return switch (now) {
      case WaitResult.StillWaiting any -> leaveQueue(session, why);
      case WaitResult.Granted granted -> why == Leaving.DEADLINE ? granted : takeBack(session);
      case WaitResult.Left left -> left;
      case WaitResult.TakenBack taken -> taken;
      case WaitResult.Superseded superseded -> superseded;
      case WaitResult.Unheard unheard -> unheard;
    };
  }

  /** A session that waits for another Machine is not its call's to give up. */
  private WaitResult leaveQueue(SessionRow session, Leaving why) {
    if (session.stage == Stage.WAITING) {
      String said = why == Leaving.HUNG_UP ? "its caller hung up" : "its time is over";
      new Ending(step).withdraw(session, said);
    }
    return new WaitResult.Left();
  }

  /** Of several calls another one may have delivered it. If nobody did, nobody will confirm. */
  private WaitResult takeBack(SessionRow session) {
    if (session.mayBeDelivered()) return new WaitResult.Superseded();
    MachineRow machine = new Ending(step).withdraw(session, "its caller hung up");
    if (machine == null) return new WaitResult.Left();
    new Granting(step).offer(machine, null);
    return new WaitResult.TakenBack(machine.id);
  }
}
