// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Claims.Blame;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreTrouble;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A session's life after its grant (confirm, renew, release, fail): {@code session.lua}.
 *
 * <p>A lease that has run out is ended by {@link Expiring} alone. Until then the Machine is still
 * the session's, and a late renewal does no harm.
 */
final class Keeping {
  private static final int LONGEST_REASON = 200;

  private final Step step;
  private final PoolState pool;

  Keeping(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  SessionResult confirm(SessionCall call) {
    SessionRow session = find(call);
    if (session == null) return absent(call);
    return switch (session.stage) {
      case WAITING -> new SessionResult.NotFound();
      case GRANTED ->
          session.untold
              ? new SessionResult.Alive(session.view())
              : connected(session, call.terms());
      case CONNECTED -> new SessionResult.Alive(session.view());
      case LOST -> new SessionResult.Lost(session.view());
      case ENDED -> over(session);
    };
  }

  SessionResult renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
    SessionRow session = find(call);
    if (receipt != null && isNews(session, receipt, call)) {
      Optional<SessionResult> refused = recognise(receipt);
      if (refused.isPresent()) return refused.get();
      session = find(call);
    }
    if (session == null) return absent(call);
    return switch (session.stage) {
      case WAITING -> new SessionResult.NotFound();
      case GRANTED, CONNECTED -> renewed(session, epoch, call.terms());
      case LOST -> new SessionResult.Lost(session.view());
      case ENDED -> over(session);
    };
  }

  SessionResult release(SessionCall call) {
    return end(call, Ended.RELEASED, "its gateway is done");
  }

  SessionResult fail(SessionCall call, Blame blame) {
    SessionRow session = find(call);
    boolean had = session != null && session.isLive() && session.stage != Stage.WAITING;
    if (session != null && had) {
      if (!blame.epoch().equals(session.epoch())) return new SessionResult.Stale(session.epoch());
      if (!blame.delivered() && session.mayBeDelivered()) {
        return new SessionResult.Alive(session.view());
      }
    }
    int length = Math.min(blame.reason().length(), LONGEST_REASON);
    SessionResult result = end(call, Ended.FAILED, blame.reason().substring(0, length));
    if (session != null && had && !blame.delivered()) pool.keys.free(session);
    return result;
  }

  private SessionResult end(SessionCall call, Ended why, String detail) {
    SessionRow session = find(call);
    if (session == null) return absent(call);
    if (session.stage == Stage.WAITING) {
      new Ending(step).withdraw(session, detail);
    } else if (session.isLive()) {
      new Ending(step).end(session, why, call.terms().keyKept(), detail);
    }
    return over(session);
  }

  private @Nullable SessionRow find(SessionCall call) {
    SessionRow session = pool.sessions.find(call.session());
    boolean mine =
        session != null && (call.caller() == null || session.caller.equals(call.caller()));
    return mine ? session : null;
  }

  /** While data is missing, "not found" would be a lie that ends a living session. */
  private SessionResult absent(SessionCall call) {
    boolean somebodyElses = pool.sessions.find(call.session()) != null;
    if (!somebodyElses && pool.generation != null && pool.generation.open) {
      throw new StoreTrouble(
          StoreTrouble.Kind.RECOVERING, "the store is being rebuilt; ask again in a second");
    }
    return new SessionResult.NotFound();
  }

  private static SessionResult over(SessionRow session) {
    return new SessionResult.Over(session.ended == null ? Ended.RELEASED : session.ended);
  }

  private SessionResult connected(SessionRow session, Terms terms) {
    if (session.stage == Stage.GRANTED) {
      session.stage = Stage.CONNECTED;
      if (session.confirmedAt == null) session.confirmedAt = step.now;
      session.untold = false;
      session.eraseCredentials();
      MachineRow machine = new Ending(step).heldMachine(session);
      if (machine != null) machine.sealed = null;
      step.note(EntryKind.SESSION_CONNECTED, session, "its gateway is connected", Map.of());
    }
    extend(session, terms, terms.lease());
    return new SessionResult.Alive(session.view());
  }

  private SessionResult renewed(SessionRow session, Epoch epoch, Terms terms) {
    if (!step.now.isBefore(session.maxUntil(terms.maxSession()))) {
      String detail = "it lasted as long as a session may";
      new Ending(step).end(session, Ended.MAX_DURATION, terms.keyKept(), detail);
      return over(session);
    }
    if (epoch.equals(session.epoch())) return connected(session, terms);
    boolean mayNotKnow = session.untold && epoch.isOlderThan(session.epoch());
    if (!mayNotKnow) return new SessionResult.Stale(session.epoch());
    extend(session, terms, terms.confirmWithin());
    return new SessionResult.Alive(session.view());
  }

  private void extend(SessionRow session, Terms terms, Duration by) {
    Instant end = session.maxUntil(terms.maxSession());
    pool.sessions.due(session, Granting.earlier(step.now.plus(by), end));
  }

  /** Does the receipt tell of a grant that this store does not have? */
  private static boolean isNews(@Nullable SessionRow session, Grant receipt, SessionCall call) {
    boolean fits =
        receipt.session().equals(call.session())
            && (call.caller() == null || receipt.caller().equals(call.caller()));
    return fits
        && (session == null || (session.isLive() && session.epoch().isOlderThan(receipt.epoch())));
  }

  /** Empty when the session is back. */
  private Optional<SessionResult> recognise(Grant receipt) {
    return switch (new Recognising(step).recognise(receipt)) {
      case PUT_BACK, KNOWN -> Optional.empty();
      case NOT_LOST -> Optional.empty();
      case TAKEN -> Optional.of(new SessionResult.Over(Ended.MACHINE_LOST));
    };
  }
}
