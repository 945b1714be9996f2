// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import cupbear.scheduler.app.Answer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.SessionRequest;
import cupbear.scheduler.app.Waiting;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.Permission;
import cupbear.scheduler.security.Permissions;
import cupbear.scheduler.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a gateway comes by a Machine. What it says about it later is in {@link LeaseRoutes}. */
final class SessionRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRoutes.class);
  private static final Pattern KEY =
      Pattern.compile("\"([A-Za-z0-9_-]{16,64})\"|([A-Za-z0-9_-]{16,64})");
  private static final String KEY_HEADER = "Idempotency-Key";

  private final ApiParts parts;
  private final Bodies bodies;
  private final Grants grants;
  private final Assignments assignments;

  SessionRoutes(ApiParts parts, Bodies bodies, Grants grants) {
    this.parts = parts;
    this.bodies = bodies;
    this.grants = grants;
    this.assignments = parts.serving().assignments();
  }

  List<Route> routes() {
    return List.of(
        Route.with(
            HttpMethod.POST,
            "/v1/sessions",
            Permission.SESSION_CREATE,
            Route.Body.REQUIRED,
            this::create));
  }

  /** To whom sessions and keys belong: the name, which outlives a change of tokens. */
  static Caller owner(Exchange exchange) {
    return new Caller(exchange.caller().name());
  }

  private void create(Call call) {
    Exchange exchange = call.exchange();
    List<String> keys = exchange.request().headers().getAll(KEY_HEADER);
    if (keys.isEmpty()) {
      exchange.problem(
          Problem.of(
              ProblemType.IDEMPOTENCY_KEY_MISSING,
              "POST /v1/sessions needs an Idempotency-Key header, so that a repeat cannot take a"
                  + " second Machine."));
      return;
    }
    List<FieldError> wrong = new ArrayList<>();
    Optional<String> key = keys.size() == 1 ? key(keys.getFirst()) : Optional.empty();
    if (key.isEmpty()) {
      wrong.add(
          new FieldError(
              KEY_HEADER, "must be once 16 to 64 letters, digits, '_' or '-', quoted or bare"));
    }
    if (Queries.none(call.query()) instanceof Parsed.Bad<Boolean> bad) wrong.addAll(bad.errors());
    switch (bodies.session(call.body())) {
      case Parsed.Bad<Bodies.SessionAsk> bad -> {
        wrong.addAll(bad.errors());
        exchange.problem(Problem.invalid(wrong));
      }
      case Parsed.Good<Bodies.SessionAsk> good -> {
        if (wrong.isEmpty()) assign(exchange, good.value(), key.orElseThrow());
        else exchange.problem(Problem.invalid(wrong));
      }
    }
  }

  private static Optional<String> key(String header) {
    Matcher parts = KEY.matcher(header.trim());
    if (!parts.matches()) return Optional.empty();
    return Optional.of(parts.group(1) != null ? parts.group(1) : parts.group(2));
  }

  private void assign(Exchange exchange, Bodies.SessionAsk ask, String key) {
    var decision =
        Permissions.decide(exchange.caller(), Permission.SESSION_CREATE, ask.pool(), null);
    if (decision instanceof Permissions.Decision.Denied) {
      exchange.problem(Problem.of(ProblemType.FORBIDDEN, "This token may not use that pool."));
      return;
    }
    Caller owner = owner(exchange);
    String tenant = ask.tenant();
    SessionRequest request =
        new SessionRequest(
            ask.pool(),
            ask.regions(),
            whereFrom(ask.clientAddress()),
            tenant == null ? owner.id() : tenant,
            ask.patience(),
            ask.labels(),
            key,
            ask.fingerprint());
    Waiting waiting = assignments.assign(request, owner, exchange.span());
    exchange.onHangUp(waiting::cancel);
    exchange.then(
        waiting.answer(),
        answer -> {
          Span answering = exchange.span().child("assign.answer");
          answer(exchange, answer, 201);
          answering.end();
        });
  }

  private @Nullable Region whereFrom(@Nullable String address) {
    if (address == null) return null;
    return parts.serving().locator().regionOf(address).orElse(null);
  }

  /** The answer to a request for a Machine, the first one or another. */
  void answer(Exchange exchange, Answer answer, int status) {
    switch (answer) {
      case Answer.Assigned assigned -> assigned(exchange, assigned, status);
      case Answer.NoCapacity none ->
          exchange.problem(
              Problem.noCapacity(
                  none.retryAfter(),
                  none.tried(),
                  "None is warm in %s; one may be in about %d s."
                      .formatted(names(none.tried()), none.retryAfter().toSeconds())));
      case Answer.QueueFull full ->
          exchange.problem(
              Problem.later(
                  ProblemType.QUEUE_FULL,
                  full.retryAfter(),
                  "As many requests are waiting as may; come again later."));
      case Answer.KeyReused any ->
          exchange.problem(
              Problem.of(
                  ProblemType.IDEMPOTENCY_KEY_REUSED,
                  "The key was used with another body within the last 24 hours; use a fresh one."));
      case Answer.KeySpent spent ->
          exchange.problem(
              Problem.of(
                      ProblemType.LEASE_LOST,
                      "The key led to session %s, which is over; use a fresh key."
                          .formatted(spent.session()))
                  .because("key_spent"));
      case Answer.Recovering wait ->
          exchange.problem(
              Problem.later(
                  ProblemType.RECOVERING,
                  wait.retryAfter(),
                  "Grants of the last minute are being re-asserted; nothing was done."));
      case Answer.StoreDown wait ->
          exchange.problem(
              Problem.later(
                  ProblemType.STORE_UNAVAILABLE,
                  wait.retryAfter(),
                  "Redis does not answer; repeat with the same key."));
      case Answer.BadRequest bad -> exchange.problem(Problem.invalid(bad.field(), bad.why()));
      case Answer.HungUp any -> {}
    }
  }

  private static String names(List<Region> regions) {
    return String.join(", ", regions.stream().map(Region::code).toList());
  }

  private void assigned(Exchange exchange, Answer.Assigned assigned, int status) {
    Grant grant = assigned.grant();
    if (!assigned.replayed()) {
      hand(exchange, assigned, grant.confirmBy(), status);
      return;
    }
    // The lease of a session that has been running for a while is longer than its first one.
    Future<Instant> until =
        assignments
            .get(grant.pool(), grant.session(), null)
            .map(view -> view.map(each -> each.leaseUntil()).orElse(grant.confirmBy()));
    exchange.then(until, found -> hand(exchange, assigned, found, status));
  }

  private void hand(Exchange exchange, Answer.Assigned assigned, Instant until, int status) {
    Grant grant = assigned.grant();
    try {
      exchange.json(
          status,
          grants.session(grant, assigned.queueTime(), until),
          response -> {
            response.headers().set("Location", "/v1/sessions/" + grant.session());
            if (assigned.replayed()) response.headers().set("Idempotency-Replayed", "true");
          });
    } catch (Grants.Sealed sealed) {
      giveUp(exchange, grant, sealed);
    }
  }

  /** A Machine that nobody can log in to is of no use: it goes, and a repeat gets another. */
  private void giveUp(Exchange exchange, Grant grant, Grants.Sealed sealed) {
    LOG.atError()
        .addKeyValue("machine", grant.machine())
        .addKeyValue("session", grant.session())
        .addKeyValue("trace_id", exchange.trace().traceId())
        .addKeyValue("why", sealed.getMessage())
        .log("a session could not be handed over");
    exchange.then(
        assignments.giveUp(grant, "its credentials do not open"),
        any ->
            exchange.problem(
                Problem.of(
                    ProblemType.INTERNAL_ERROR,
                    "The credentials of the Machine could not be opened; it is replaced.")));
  }
}
