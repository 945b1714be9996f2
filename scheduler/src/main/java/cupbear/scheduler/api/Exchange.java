// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.Trouble;
import cupbear.scheduler.security.Caller;
import cupbear.scheduler.trace.Span;
import cupbear.scheduler.trace.Tracing;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way to exactly one answer. Lives on the event loop of its connection: futures
 * that end elsewhere come back here before anything is written.
 */
final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final Duration STORE_RETRY = Duration.ofSeconds(2);
  private static final Duration UNSURE_RETRY = Duration.ofSeconds(1);

  private final HttpServerRequest request;
  private final Context context;
  private Trace trace;
  private Span span;
  private final long beganNanos = System.nanoTime();
  private final List<Runnable> hangUp = new ArrayList<>();
  private final List<Runnable> atEnd = new ArrayList<>();
  private String route = "none";
  private @Nullable Caller caller;
  private boolean answered;
  private boolean over;

  Exchange(HttpServerRequest request, Context context) {
    this.request = request;
    this.context = context;
    this.trace = Trace.from(request.getHeader("traceparent"));
    this.span = trace;
    HttpServerResponse response = request.response();
    response.exceptionHandler(broken -> gone());
    response.closeHandler(closed -> gone());
    response.endHandler(ended -> end());
  }

  HttpServerRequest request() {
    return request;
  }

  Trace trace() {
    return trace;
  }

  /** This request in its trace; its parts are spans below it. */
  Span span() {
    return span;
  }

  /** From now on somebody may be keeping a trace of it. */
  void traced(Tracing tracing) {
    if (!tracing.isOn()) return;
    Span begun =
        tracing.request(route, request.getHeader("traceparent"), request.getHeader("tracestate"));
    String place = begun.traceparent();
    if (place == null) return;
    trace = Trace.at(place);
    span = begun;
    span.with("http.request.method", request.method().name());
    atEnd(() -> {
      span.with("http.response.status_code", status());
      if (status() >= 500) span.failed(Integer.toString(status()));
      span.end();
    });
  }

  Context context() {
    return context;
  }

  /** The template of the route, for meters and logs; never the path itself. */
  String route() {
    return route;
  }

  void on(String template) {
    route = template;
  }

  Caller caller() {
    if (caller == null) throw new IllegalStateException("nobody was authenticated");
    return caller;
  }

  void by(Caller known) {
    caller = known;
  }

  int status() {
    return request.response().getStatusCode();
  }

  Duration took() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  boolean isAnswered() {
    return answered;
  }

  // ---- the caller's end of the wire

  /** When the caller hangs up before its answer. */
  void onHangUp(Runnable then) {
    if (over) then.run();
    else hangUp.add(then);
  }

  /** When this is over, however. */
  void atEnd(Runnable then) {
    if (over) then.run();
    else atEnd.add(then);
  }

  private void gone() {
    if (over) return;
    List.copyOf(hangUp).forEach(Runnable::run);
    end();
  }

  private void end() {
    if (over) return;
    over = true;
    hangUp.clear();
    List.copyOf(atEnd).forEach(Runnable::run);
    atEnd.clear();
  }

  // ---- what others say

  /** Goes on with the value, here; a failure is an answer of its own. */
  <T> void then(Future<T> future, Consumer<T> next) {
    future.onComplete((value, failure) ->
        here(() -> {
          if (failure == null) next.accept(value);
          else failed(failure);
        }));
  }

  <T> void with(Parsed<T> parsed, Consumer<T> next) {
    switch (parsed) {
      case Parsed.Good<T> good -> next.accept(good.value());
      case Parsed.Bad<T> bad -> problem(Problem.invalid(bad.errors()));
    }
  }

  private void here(Runnable work) {
    if (context.equals(Vertx.currentContext())) guarded(work);
    else context.runOnContext(any -> guarded(work));
  }

  /** One of the two places where a bug is caught: nobody outside hears more than its trace id. */
  @SuppressWarnings("IllegalCatch")
  void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException bug) {
      failed(bug);
    }
  }

  void failed(Throwable failure) {
    Optional<Trouble> trouble = Trouble.of(failure);
    if (trouble.isPresent()) {
      problem(trouble(trouble.get()));
      return;
    }
    LOG.atError()
        .setCause(failure)
        .addKeyValue("trace_id", trace.traceId())
        .addKeyValue("route", route)
        .log("a request met a bug");
    problem(
        Problem.of(
            ProblemType.INTERNAL_ERROR,
            "Something unexpected happened. It has been logged under this trace id."));
  }

  static Problem trouble(Trouble trouble) {
    return switch (trouble) {
      case UNREACHABLE ->
          Problem.later(
              ProblemType.STORE_UNAVAILABLE,
              STORE_RETRY,
              "Redis does not answer; nothing was done.");
      case OVERLOADED ->
          Problem.later(
              ProblemType.STORE_UNAVAILABLE,
              STORE_RETRY,
              "Redis has too much to do; nothing was done.");
      case RECOVERING ->
          Problem.later(
              ProblemType.RECOVERING, STORE_RETRY, "The store is being rebuilt; nothing was done.");
      case UNSURE ->
          Problem.later(
              ProblemType.TIMEOUT,
              UNSURE_RETRY,
              "The store did not answer in time; the request may or may not have taken effect.");
    };
  }

  // ---- answers

  /** Ready for an answer of this status; empty when there is nobody to answer, or it was done. */
  Optional<HttpServerResponse> begin(int status) {
    HttpServerResponse response = request.response();
    if (answered || response.ended() || response.closed()) return Optional.empty();
    answered = true;
    response.setStatusCode(status);
    var headers = response.headers();
    headers.set("traceparent", trace.traceparent());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    return Optional.of(response);
  }

  void json(int status, JsonObject body) {
    json(status, body, response -> {});
  }

  void json(int status, JsonObject body, Consumer<HttpServerResponse> more) {
    begin(status)
        .ifPresent(response -> {
          response.headers().set("Content-Type", "application/json");
          more.accept(response);
          response.end(body.toBuffer());
        });
  }

  void nothing() {
    begin(204).ifPresent(HttpServerResponse::end);
  }

  void page(int status, String type, Buffer body) {
    begin(status)
        .ifPresent(response -> {
          response.headers().set("Content-Type", type);
          response.end(body);
        });
  }

  void problem(Problem problem) {
    problem(problem, response -> {});
  }

  void problem(Problem problem, Consumer<HttpServerResponse> more) {
    begin(problem.type().status)
        .ifPresent(response -> {
          var headers = response.headers();
          headers.set("Content-Type", "application/problem+json");
          if (problem.retryAfter() != null) {
            headers.set("Retry-After", Long.toString(problem.retrySeconds()));
          }
          if (problem.type() == ProblemType.UNAUTHORIZED) {
            headers.set("WWW-Authenticate", "Bearer realm=\"cupbear\"");
          }
          more.accept(response);
          response.end(problem.json(trace).toBuffer());
        });
  }
}
