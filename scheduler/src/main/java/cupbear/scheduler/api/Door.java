// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.security.Caller;
import cupbear.scheduler.security.Permissions;
import cupbear.scheduler.security.Permissions.Decision;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.TokenBuckets;
import cupbear.scheduler.security.TokenDirectory.Identity;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What every request has to pass, in this order: limits, who, whether it may, how often, in which
 * form, and its body. What does not pass gets a problem that names the fault, and nothing else of
 * the house hears of it.
 */
final class Door {
  private static final int TOKENS_REMEMBERED = 10_000;
  private static final String BEARER = "bearer ";

  private final ApiParts parts;
  private final ApiConfig config;
  private final InFlight inFlight;
  private final Lines lines;
  private final TokenBuckets buckets;

  Door(ApiParts parts, ApiConfig config, InFlight inFlight, Lines lines) {
    this.parts = parts;
    this.config = config;
    this.inFlight = inFlight;
    this.lines = lines;
    this.buckets = new TokenBuckets(config.share(), TOKENS_REMEMBERED);
  }

  /** A request for this route. */
  void enter(Exchange exchange, RoutingContext web, Route route) {
    exchange.on(route.name());
    boolean open = Permissions.isOpen(route.permission());
    if (!open) exchange.traced(parts.showing().meters().tracing());
    exchange.guarded(() -> {
      Optional<Problem> refused = refused(exchange, route);
      if (refused.isPresent()) {
        Intake.drop(exchange.request());
        exchange.problem(refused.get());
      } else {
        takeIn(exchange, web, route);
      }
    });
  }

  private Optional<Problem> refused(Exchange exchange, Route route) {
    if (Permissions.isOpen(route.permission())) return form(exchange.request(), route);
    if (inFlight.isDraining()) {
      return Optional.of(
          Problem.later(
              ProblemType.SHUTTING_DOWN,
              java.time.Duration.ZERO,
              "This replica is draining; another one takes over."));
    }
    return identify(exchange)
        .or(() -> permit(exchange.caller(), route))
        .or(() -> spare(exchange.caller()))
        .or(() -> form(exchange.request(), route));
  }

  // ---- who

  private Optional<Problem> identify(Exchange exchange) {
    List<String> shown = exchange.request().headers().getAll("Authorization");
    if (shown.size() != 1 || !isBearer(shown.getFirst())) {
      return unauthorized("missing", "Send one header Authorization: Bearer with a token.");
    }
    String token = shown.getFirst().substring(BEARER.length()).trim();
    return switch (parts.trusting().tokens().lookup(token, parts.clock().instant())) {
      case Identity.Known known -> {
        exchange.by(known.caller());
        yield Optional.empty();
      }
      case Identity.Unknown any -> unauthorized("unknown", "A valid bearer token is needed.");
      case Identity.Expired any -> unauthorized("expired", "A valid bearer token is needed.");
    };
  }

  private static boolean isBearer(String header) {
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  private Optional<Problem> unauthorized(String reason, String detail) {
    parts.showing().meters().refused(reason);
    return Optional.of(Problem.of(ProblemType.UNAUTHORIZED, detail));
  }

  // ---- whether it may, and how often

  private Optional<Problem> permit(Caller caller, Route route) {
    Decision decision = Permissions.decide(caller, route.permission(), null, null);
    return decision instanceof Decision.Denied ? Optional.of(forbidden(route)) : Optional.empty();
  }

  private Problem forbidden(Route route) {
    parts.showing().meters().refused("forbidden");
    String roles =
        Stream.of(Role.values())
            .filter(role -> Permissions.reach(role, route.permission()) != Permissions.Reach.NONE)
            .map(Role::word)
            .collect(Collectors.joining(" or "));
    return Problem.of(ProblemType.FORBIDDEN, "This needs the role " + roles + ".");
  }

  private Optional<Problem> spare(Caller caller) {
    return switch (buckets.take(caller.token(), parts.clock().instant())) {
      case TokenBuckets.Taken.Granted any -> Optional.empty();
      case TokenBuckets.Taken.Throttled wait -> {
        parts.showing().meters().refused("throttled");
        yield Optional.of(
            Problem.later(
                ProblemType.RATE_LIMITED,
                wait.retryAfter(),
                "This token may make %d requests per second."
                    .formatted(config.limits().ratePerSecond())));
      }
    };
  }

  // ---- in which form

  private static Optional<Problem> form(HttpServerRequest request, Route route) {
    if (!Media.accepts(request.getHeader("Accept"), route.answers())) {
      return Optional.of(
          Problem.of(
              ProblemType.NOT_ACCEPTABLE,
              "The answer is %s; let Accept allow that.".formatted(route.answers())));
    }
    boolean reads =
        switch (route.body()) {
          case NONE -> false;
          case OPTIONAL -> Intake.isThere(request);
          case REQUIRED -> true;
        };
    if (!reads) return Optional.empty();
    boolean plain = request.getHeader("Content-Encoding") == null;
    return plain && Media.isJson(request.getHeader("Content-Type"))
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                ProblemType.UNSUPPORTED_MEDIA_TYPE,
                "Content-Type must be application/json, and the body not compressed."));
  }

  // ---- its body

  private void takeIn(Exchange exchange, RoutingContext web, Route route) {
    MultiMap query = query(web);
    if (query == null) {
      Intake.drop(exchange.request());
      exchange.problem(Problem.invalid("query", "cannot be decoded"));
      return;
    }
    boolean ownOnly = !Permissions.isOpen(route.permission()) && ownOnly(exchange, route);
    if (route.body() == Route.Body.NONE) {
      Intake.drop(exchange.request());
      lines.received(exchange);
      handle(route, new Route.Call(exchange, web.pathParams(), query, Buffer.buffer(), ownOnly));
      return;
    }
    if ("100-continue".equalsIgnoreCase(exchange.request().getHeader("Expect"))) {
      exchange.request().response().writeContinue();
    }
    Intake.read(
        exchange.request(),
        config.limits().bodyBytes(),
        body -> {
          lines.received(exchange);
          handle(route, new Route.Call(exchange, web.pathParams(), query, body, ownOnly));
        },
        () -> exchange.problem(tooLarge()));
  }

  private static boolean ownOnly(Exchange exchange, Route route) {
    return Permissions.decide(exchange.caller(), route.permission(), null, null)
        instanceof Decision.OwnOnly;
  }

  private Problem tooLarge() {
    return Problem.of(
        ProblemType.BODY_TOO_LARGE,
        "At most %d bytes are read.".formatted(config.limits().bodyBytes()));
  }

  @SuppressWarnings("IllegalCatch") // the border to a library that throws what it likes
  private static @Nullable MultiMap query(RoutingContext web) {
    try {
      return web.queryParams();
    } catch (RuntimeException undecodable) {
      return null;
    }
  }

  private static void handle(Route route, Route.Call call) {
    call.exchange().guarded(() -> route.handler().handle(call));
  }
}
