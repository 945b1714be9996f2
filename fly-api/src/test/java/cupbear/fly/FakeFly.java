// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A server on a free loopback port that does what the test says and remembers who asked. */
final class FakeFly implements AutoCloseable {

  final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  volatile BiConsumer<HttpServerRequest, Buffer> handler =
      (request, body) -> request.response().end();

  FakeFly(Vertx vertx) throws Exception {
    this.server =
        vertx
            .createHttpServer()
            .requestHandler(request -> {
              requests.add(request.method() + " " + request.uri());
              request.body().onSuccess(body -> handler.accept(request, body));
            })
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.actualPort());
  }

  static void answer(HttpServerRequest request, int status, String body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("fly-request-id", "01REQ-iad")
        .putHeader("Content-Type", "application/json")
        .end(body);
  }

  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
