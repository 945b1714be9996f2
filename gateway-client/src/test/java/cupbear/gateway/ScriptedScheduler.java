// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that says what a test told it to, in order, over a real socket. It holds every
 * request to docs/openapi.yaml.
 */
final class ScriptedScheduler implements AutoCloseable {
  static final ApiDocument API = ApiDocument.read();

  private final HttpServer server;
  private final Queue<Consumer<HttpServerResponse>> script = new ConcurrentLinkedQueue<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** A request as it came. */
  record Seen(String line, String key, String authorization, String trace, Buffer body) {
    JsonObject json() {
      return new JsonObject(body);
    }
  }

  ScriptedScheduler(Vertx vertx) {
    try {
      server =
          vertx
              .createHttpServer()
              .connectionHandler(connection -> {
                connections.incrementAndGet();
                connection.closeHandler(closed -> connections.decrementAndGet());
              })
              .requestHandler(this::take)
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .get(10, TimeUnit.SECONDS);
    } catch (Exception cannotListen) {
      throw new IllegalStateException(cannotListen);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  ScriptedScheduler then(Consumer<HttpServerResponse> answer) {
    script.add(answer);
    return this;
  }

  ScriptedScheduler then(int status, JsonObject body) {
    return then(response ->
        response
            .setStatusCode(status)
            .putHeader("content-type", "application/json")
            .end(body.toBuffer()));
  }

  ScriptedScheduler thenEmpty(int status) {
    return then(response -> response.setStatusCode(status).end());
  }

  ScriptedScheduler thenProblem(int status, String type, @Nullable Integer retryAfter) {
    return then(response -> {
      if (retryAfter != null) response.putHeader("retry-after", retryAfter.toString());
      response
          .setStatusCode(status)
          .putHeader("content-type", "application/problem+json")
          .end(problem(status, type).toBuffer());
    });
  }

  /** Takes the request and never says a word. */
  ScriptedScheduler thenSilence() {
    return then(response -> {});
  }

  /** Takes the request, does its work and dies before the answer leaves. */
  ScriptedScheduler thenHangUp() {
    return then(HttpServerResponse::reset);
  }

  List<Seen> seen() {
    return List.copyOf(seen);
  }

  long count(String line) {
    return seen.stream().filter(each -> each.line().equals(line)).count();
  }

  int connections() {
    return connections.get();
  }

  /** What was wrong with the requests by the API's description. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  static JsonObject session(long epoch) {
    return API.at("#/components/examples/Session/value").copy().put("epoch", epoch);
  }

  static JsonObject renewed(long epoch) {
    return new JsonObject()
        .put("id", session(epoch).getString("id"))
        .put("epoch", epoch)
        .put("lease", session(epoch).getJsonObject("lease"))
        .put("receipt", "receipt-" + epoch);
  }

  static JsonObject problem(int status, String type) {
    return new JsonObject()
        .put("type", "/problems/" + type)
        .put("title", type)
        .put("status", status)
        .put("detail", "because " + type)
        .put("reason", "lease_expired");
  }

  private void take(HttpServerRequest request) {
    request
        .body()
        .onSuccess(body -> {
          Seen now =
              new Seen(
                  request.method() + " " + request.path(),
                  String.valueOf(request.getHeader("idempotency-key")),
                  String.valueOf(request.getHeader("authorization")),
                  String.valueOf(request.getHeader("traceparent")),
                  body);
          check(now);
          Consumer<HttpServerResponse> answer = script.poll();
          seen.add(now);
          if (answer == null) request.response().setStatusCode(500).end("end of the script");
          else answer.accept(request.response());
        });
  }

  private void check(Seen request) {
    String operation = request.line().replaceAll("/ses_[A-Za-z0-9]+", "/{id}");
    JsonObject declared = API.operations().get(operation);
    if (declared == null) {
      complaints.add(request.line() + " is no operation");
      return;
    }
    JsonObject body = declared.getJsonObject("requestBody");
    if (body == null) {
      if (request.body().length() > 0) complaints.add(request.line() + " takes no body");
      return;
    }
    JsonObject schema =
        body.getJsonObject("content").getJsonObject("application/json").getJsonObject("schema");
    API.complaints(schema, request.json()).forEach(each -> complaints.add(operation + each));
  }

  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().join();
  }
}
