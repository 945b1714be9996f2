// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.gateway.Grant;
import cupbear.gateway.Refusal;
import cupbear.gateway.RefusedException;
import cupbear.gateway.Session;
import cupbear.gateway.SessionRequest;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One user from the moment they were meant to come until they have left: asks, looks at the desktop
 * through guacd, and goes; says that a dead Machine is dead and takes another. On the event loop of
 * its gateway.
 */
final class Visit {
  /** A user who was given so many dead Machines goes home. */
  private static final int MACHINES_MOST = 3;

  private final Generator.Surroundings here;
  private final Gateways.Gateway gateway;
  private final Arrival arrival;
  private final long meantAt;

  /**
   * @param meantAt when this user was meant to come, by {@link System#nanoTime}
   */
  Visit(Generator.Surroundings here, Gateways.Gateway gateway, Arrival arrival, long meantAt) {
    this.here = here;
    this.gateway = gateway;
    this.arrival = arrival;
    this.meantAt = meantAt;
  }

  /** Completes when nothing of it is left. */
  Future<Void> start() {
    here.ledger().asked(arrival.number());
    return gateway
        .cupbear()
        .acquire(request())
        .transform(
            answer -> answer.succeeded() ? granted(answer.result()) : refused(answer.cause()));
  }

  private SessionRequest request() {
    SessionRequest request =
        SessionRequest.of(here.pool()).tenant(arrival.tenant()).waiting(arrival.waits());
    @Nullable String region = arrival.region();
    return region == null ? request : request.in(region);
  }

  private Future<Void> refused(Throwable failure) {
    @Nullable Refusal why = failure instanceof RefusedException no ? no.refusal() : null;
    if (why == null || isSilence(why)) {
      here.ledger().answered(arrival.number(), String.valueOf(failure));
      here.tally().unanswered(arrival);
    } else {
      here.ledger().answered(arrival.number(), null);
      here.tally().refused(arrival, why.getClass().getSimpleName());
    }
    return Future.succeededFuture();
  }

  /**
   * Nobody said anything for as long as somebody was bound to. A last try that the user's own time
   * cut short is none: it stood in the queue.
   */
  private boolean isSilence(Refusal why) {
    return switch (why) {
      case Refusal.TimedOut late -> late.after().compareTo(arrival.waits()) >= 0;
      case Refusal.Unreachable nobody -> true;
      case Refusal.Garbled nonsense -> true;
      default -> false;
    };
  }

  private Future<Void> granted(Session session) {
    Duration took = Duration.ofNanos(System.nanoTime() - meantAt);
    here.ledger().answered(arrival.number(), null);
    here.tally().granted(arrival, took);
    return look(session, true, 1);
  }

  private Future<Void> look(Session session, boolean fresh, int machines) {
    Grant grant = session.grant();
    here.ledger()
        .granted(grant, fresh, () -> session.grant().lease().expiresAt(), here.witness(grant));
    if (!here.looking()) {
      here.ledger().serves(grant);
      return stay(Promise.<String>promise().future())
          .compose(gone -> leave(grant, session::release));
    }
    return Viewing.open(here.net(), session)
        .transform(seen ->
            seen.succeeded()
                ? watch(seen.result(), machines)
                : dead(session, grant, String.valueOf(seen.cause().getMessage()), machines));
  }

  private Future<Void> watch(Viewing viewing, int machines) {
    Grant grant = viewing.session().grant();
    here.ledger().serves(grant);
    return stay(viewing.disturbance())
        .compose(left -> {
          @Nullable String why = viewing.disturbed();
          if (why == null) return leave(grant, viewing::end);
          here.ledger().disturbed(grant, why);
          return replaced(viewing, grant, machines);
        });
  }

  /** Another Machine under the same session, where the pool is set so; else it is lost. */
  private Future<Void> replaced(Viewing viewing, Grant before, int machines) {
    Session session = viewing.session();
    if (session.grant().epoch() > before.epoch() && machines < MACHINES_MOST) {
      return look(session, false, machines + 1);
    }
    here.tally().lost();
    return viewing.end().otherwiseEmpty();
  }

  private Future<Void> dead(Session session, Grant grant, String why, int machines) {
    here.ledger().doesNotServe(grant, why);
    boolean again = machines < MACHINES_MOST;
    return session
        .fail(why, again)
        .transform(told -> {
          boolean another = told.succeeded() && told.result().isPresent();
          if (another) return look(session, true, machines + 1);
          here.tally().lost();
          return Future.succeededFuture();
        });
  }

  /** Ends when the user has seen enough, when everybody has to go, or when it is disturbed. */
  private Future<Object> stay(Future<String> disturbance) {
    Promise<Object> enough = Promise.promise();
    long timer =
        here.vertx().setTimer(Math.max(1, arrival.stays().toMillis()), any -> enough.tryComplete());
    here.everybodyGoes().onComplete(any -> enough.tryComplete());
    disturbance.onComplete(any -> enough.tryComplete());
    return enough.future().onComplete(any -> here.vertx().cancelTimer(timer));
  }

  /** A release that reaches nobody is no harm: the lease ends it. */
  private Future<Void> leave(Grant grant, Supplier<Future<Void>> release) {
    here.ledger().left(grant);
    here.tally().ended();
    return release.get().otherwiseEmpty();
  }
}
