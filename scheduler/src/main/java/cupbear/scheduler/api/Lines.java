// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Open connections, each with the moment by which something must be whole: a head, a body, or the
 * next request. A sender that trickles is never idle, so bytes do not count, only whole pieces. One
 * sweep looks after all, because a timer per request would cost more than most requests. Any
 * thread.
 */
final class Lines {
  /** More than a few thousand gateways ever hold; beyond it a newcomer is turned away. */
  private static final int LINES_MOST = 10_000;

  private static final long NEVER = Long.MIN_VALUE;

  /** One connection. */
  private static final class Line {
    private volatile long deadlineNanos;
    private volatile @Nullable Exchange receiving;
  }

  private final Duration headWithin;
  private final Duration bodyWithin;
  private final Duration idle;
  private final Map<HttpConnection, Line> lines = new ConcurrentHashMap<>();

  Lines(ApiConfig config) {
    this.headWithin = config.limits().headerTimeout();
    this.bodyWithin = config.bodyWithin();
    this.idle = config.limits().idleTimeout();
  }

  /** How often to sweep so that nobody stays much longer than allowed. */
  Duration sweepEvery() {
    Duration quarter = headWithin.dividedBy(4);
    Duration most = Duration.ofSeconds(1);
    Duration least = Duration.ofMillis(20);
    if (quarter.compareTo(most) > 0) return most;
    return quarter.compareTo(least) < 0 ? least : quarter;
  }

  void opened(HttpConnection connection) {
    if (lines.size() >= LINES_MOST) {
      connection.close();
      return;
    }
    Line line = new Line();
    line.deadlineNanos = after(headWithin);
    lines.put(connection, line);
    connection.closeHandler(closed -> lines.remove(connection));
  }

  /** The head is there; the body is on its way. */
  void receiving(Exchange exchange) {
    Line line = lines.get(exchange.request().connection());
    if (line == null) return;
    line.receiving = exchange;
    line.deadlineNanos = after(bodyWithin);
    exchange.atEnd(() -> {
      line.receiving = null;
      line.deadlineNanos = after(idle);
    });
  }

  /** The request is whole: from now on it waits for us. */
  void received(Exchange exchange) {
    Line line = lines.get(exchange.request().connection());
    if (line == null || exchange.isAnswered()) return;
    line.receiving = null;
    line.deadlineNanos = NEVER;
  }

  void sweep() {
    long now = System.nanoTime();
    lines.forEach((connection, line) -> {
      long deadline = line.deadlineNanos;
      if (deadline == NEVER || now - deadline < 0) return;
      Exchange slow = line.receiving;
      line.deadlineNanos = NEVER;
      if (slow == null) connection.close();
      else slow.context().runOnContext(any -> tooSlow(slow));
    });
  }

  private void tooSlow(Exchange slow) {
    HttpConnection connection = slow.request().connection();
    slow.problem(
        Problem.of(
            ProblemType.REQUEST_TIMEOUT,
            "The body was not complete within %s; send it in one go."
                .formatted(Texts.duration(bodyWithin))),
        response -> response.headers().set("Connection", "close"));
    connection.close();
  }

  private static long after(Duration time) {
    long at = System.nanoTime() + time.toNanos();
    return at == NEVER ? at + 1 : at;
  }
}
