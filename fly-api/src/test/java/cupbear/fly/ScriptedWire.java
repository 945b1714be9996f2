// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** A wire that answers what the test wrote down, in order, and remembers what was sent. */
final class ScriptedWire implements Wire {

  final List<Outgoing> sent = new ArrayList<>();
  private final Deque<Function<Outgoing, Future<Answer>>> script = new ArrayDeque<>();
  private Function<Outgoing, Future<Answer>> otherwise =
      out -> {
        throw new AssertionError("not in the script: " + out.method() + " " + out.uri());
      };

  static Future<Answer> reply(int status, String body) {
    return Future.succeededFuture(new Answer(status, "01REQ-iad", Buffer.buffer(body)));
  }

  ScriptedWire then(int status, String body) {
    script.add(out -> reply(status, body));
    return this;
  }

  /** The connection breaks after the request left. */
  ScriptedWire thenReset() {
    script.add(out -> Future.failedFuture(new IOException("Connection reset")));
    return this;
  }

  /** Nobody listens. */
  ScriptedWire thenRefuse() {
    script.add(out -> Future.failedFuture(new ConnectException("Connection refused")));
    return this;
  }

  /** Never answers. */
  ScriptedWire thenHang() {
    script.add(out -> Promise.<Answer>promise().future());
    return this;
  }

  /** Answers when the test completes the promise. */
  Promise<Answer> thenLater() {
    Promise<Answer> promise = Promise.promise();
    script.add(out -> promise.future());
    return promise;
  }

  ScriptedWire always(Function<Outgoing, Future<Answer>> answer) {
    this.otherwise = answer;
    return this;
  }

  @Override
  public Future<Answer> send(Outgoing request) {
    sent.add(request);
    Function<Outgoing, Future<Answer>> next = script.poll();
    return next == null ? otherwise.apply(request) : next.apply(request);
  }

  /** Method and path with query of everything sent. */
  List<String> requests() {
    return sent.stream().map(out -> out.method() + " " + out.uri()).toList();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
