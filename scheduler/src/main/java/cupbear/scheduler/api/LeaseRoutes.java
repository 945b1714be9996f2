// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Permission;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is said about a session after its grant. */
final class LeaseRoutes {
  private static final String ONE = "/v1/sessions/{id}";
  private static final Duration REPLACED_SOON = Duration.ofSeconds(1);
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final ApiParts parts;
  private final Bodies bodies;
  private final Grants grants;
  private final SessionRoutes sessions;
  private final Assignments assignments;

  LeaseRoutes(ApiParts parts, Bodies bodies, Grants grants, SessionRoutes sessions) {
    this.parts = parts;
    this.bodies = bodies;
    this.grants = grants;
    this.sessions = sessions;
    this.assignments = parts.serving().assignments();
  }

  List<Route> routes() {
    return List.of(
        Route.with(
            HttpMethod.PUT,
            ONE + "/lease",
            Permission.SESSION_LEASE,
            Route.Body.REQUIRED,
            this::renew),
        Route.with(
            HttpMethod.POST,
            ONE + "/connected",
            Permission.SESSION_CONNECTED,
            Route.Body.REQUIRED,
            this::connected),
        Route.with(
            HttpMethod.DELETE, ONE, Permission.SESSION_DELETE, Route.Body.NONE, this::release),
        Route.with(
            HttpMethod.POST,
            ONE + "/fail",
            Permission.SESSION_FAIL,
            Route.Body.REQUIRED,
            this::fail));
  }

  /** The session that a path names: its id tells its pool. */
  record Named(PoolName pool, SessionId session, @Nullable Caller owner) {
    /** Empty when its pool is not declared, or not for this token: the store is not even asked. */
    static Optional<Named> in(Call call, Pools pools) {
      String id = call.path("id");
      if (!ID.matcher(id).matches()) return Optional.empty();
      SessionId session = new SessionId(id);
      Caller owner = call.ownOnly() ? SessionRoutes.owner(call.exchange()) : null;
      return session
          .pool()
          .filter(pool -> pools.find(pool).isPresent())
          .filter(pool -> call.exchange().caller().mayTouch(pool))
          .map(pool -> new Named(pool, session, owner));
    }
  }

  private void named(Call call, Consumer<Named> next) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any ->
            Named.in(call, parts.serving().fleet().pools())
                .ifPresentOrElse(
                    it -> {
                      exchange.span().with("cupbear.session.id", it.session());
                      next.accept(it);
                    },
                    () -> exchange.problem(noSession())));
  }

  static Problem noSession() {
    return Problem.notFound("session with this id");
  }

  private void renew(Call call) {
    Exchange exchange = call.exchange();
    named(
        call,
        it ->
            exchange.with(
                bodies.renewal(call.body()),
                renewal -> {
                  Instant now = parts.clock().instant();
                  exchange.with(
                      grants.believed(renewal.receipt(), now),
                      receipt -> {
                        Grant shown = receipt.orElse(null);
                        if (shown != null && !belongs(shown, it)) {
                          exchange.problem(
                              Problem.invalid("receipt", "is of another session or caller"));
                          return;
                        }
                        exchange.then(
                            assignments.renew(
                                it.pool(), it.session(), it.owner(), renewal.epoch(), shown),
                            result -> renewed(exchange, it, renewal.epoch(), result));
                      });
                }));
  }

  private static boolean belongs(Grant receipt, Named it) {
    return receipt.session().equals(it.session())
        && receipt.pool().equals(it.pool())
        && (it.owner() == null || receipt.caller().equals(it.owner()));
  }

  private void renewed(Exchange exchange, Named it, Epoch epoch, SessionResult result) {
    if (result instanceof SessionResult.Alive alive && alive.session().grant() != null) {
      Grant grant = alive.session().grant();
      Instant until = alive.session().leaseUntil();
      boolean replaced = epoch.isOlderThan(grant.epoch());
      exchange.json(
          200, grants.renewed(grant, until == null ? grant.confirmBy() : until, replaced));
    } else {
      refused(exchange, it, result);
    }
  }

  /**
   * Said as a renewal, because that is the step of the store that looks at the epoch; the first
   * renewal confirms as well.
   */
  private void connected(Call call) {
    Exchange exchange = call.exchange();
    named(
        call,
        it ->
            exchange.with(
                bodies.confirmation(call.body()),
                epoch ->
                    exchange.then(
                        assignments.renew(it.pool(), it.session(), it.owner(), epoch, null),
                        result -> {
                          Grant grant =
                              result instanceof SessionResult.Alive alive
                                  ? alive.session().grant()
                                  : null;
                          if (grant == null) refused(exchange, it, result);
                          else if (grant.epoch().equals(epoch)) exchange.nothing();
                          else exchange.problem(Problem.stale(grant.epoch()));
                        })));
  }

  private void release(Call call) {
    Exchange exchange = call.exchange();
    named(
        call,
        it ->
            exchange.then(
                assignments.release(it.pool(), it.session(), it.owner()),
                result -> {
                  if (result instanceof SessionResult.NotFound) exchange.problem(noSession());
                  else exchange.nothing();
                }));
  }

  // ---- a Machine that does not work

  private void fail(Call call) {
    Exchange exchange = call.exchange();
    named(
        call,
        it ->
            exchange.with(
                bodies.failure(call.body()),
                failure ->
                    exchange.then(
                        assignments.get(it.pool(), it.session(), it.owner()),
                        view -> {
                          Optional<Problem> wrong = whyNotFail(view, failure.epoch());
                          if (wrong.isPresent()) exchange.problem(wrong.get());
                          else fail(exchange, it, failure);
                        })));
  }

  private static Optional<Problem> whyNotFail(Optional<SessionView> found, Epoch epoch) {
    Grant grant = found.map(SessionView::grant).orElse(null);
    if (found.isEmpty() || grant == null) return Optional.of(noSession());
    if (!grant.epoch().equals(epoch)) return Optional.of(Problem.stale(grant.epoch()));
    SessionView.Ended ended = found.get().ended();
    if (ended == null || ended == SessionView.Ended.FAILED) return Optional.empty();
    return Optional.of(over(ended));
  }

  private void fail(Exchange exchange, Named it, Bodies.Failure failure) {
    exchange.then(
        assignments.fail(
            it.pool(),
            it.session(),
            it.owner(),
            failure.epoch(),
            failure.reason(),
            failure.replace()),
        failed -> {
          if (failed.replacement() != null) {
            sessions.answer(exchange, failed.replacement(), 200);
          } else if (failed.result() instanceof SessionResult.Over && !failure.replace()) {
            exchange.nothing();
          } else {
            refused(exchange, it, failed.result());
          }
        });
  }

  // ---- refusals

  private void refused(Exchange exchange, Named it, SessionResult result) {
    switch (result) {
      case SessionResult.NotFound any -> exchange.problem(noSession());
      case SessionResult.Alive any -> exchange.problem(noSession());
      case SessionResult.Stale stale -> exchange.problem(Problem.stale(stale.current()));
      case SessionResult.Over over -> exchange.problem(over(over.why()));
      case SessionResult.Lost lost -> lost(exchange, it);
    }
  }

  private static Problem over(SessionView.Ended why) {
    String reason = Texts.word(why);
    if (why == SessionView.Ended.MACHINE_LOST) {
      return Problem.of(ProblemType.MACHINE_LOST, "Its Machine is gone; ask for a new session.")
          .because(reason);
    }
    return Problem.of(
            ProblemType.LEASE_LOST,
            "The session is over (%s) and its Machine is being recycled.".formatted(reason))
        .because(reason);
  }

  private void lost(Exchange exchange, Named it) {
    Terms.Failover failover =
        parts
            .serving()
            .fleet()
            .pools()
            .find(it.pool())
            .map(PoolSpec::terms)
            .orElse(Terms.DEFAULT)
            .failover();
    exchange.problem(
        failover == Terms.Failover.REPLACE
            ? Problem.noCapacity(
                REPLACED_SOON,
                List.of(),
                "The Machine died and another one is on its way; renew again.")
            : over(SessionView.Ended.MACHINE_LOST));
  }
}
