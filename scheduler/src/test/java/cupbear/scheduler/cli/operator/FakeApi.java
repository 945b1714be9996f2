// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Another replica, or one that misbehaves: gives the answers it was told to, one after another. */
final class FakeApi implements AutoCloseable {
  private record Answer(int status, String type, String body) {}

  private final HttpServer server;
  private final Queue<Answer> answers = new ArrayDeque<>();

  /** {@code GET /path?query} and, if one was sent, the last event's id. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  FakeApi() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized FakeApi then(int status, String type, String body) {
    answers.add(new Answer(status, type, body));
    return this;
  }

  FakeApi json(String body) {
    return then(200, "application/json", body);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
    asked.add(
        "%s %s%s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                last == null ? "" : " after " + last));
    Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
