// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Takes in one body: all of it, or none. What is not wanted is read and dropped for a while, so
 * that the caller gets to read its refusal before the connection ends; a flood is cut off.
 */
final class Intake {
  private static final long DROPPED_MOST = 1 << 20;
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  private final HttpServerRequest request;
  private final int most;
  private final Buffer taken = Buffer.buffer();
  private long seen;
  private boolean wanted;
  private boolean tooLarge;

  private Intake(HttpServerRequest request, int most) {
    this.request = request;
    this.most = most;
  }

  /** Reads what comes and keeps nothing. */
  static void drop(HttpServerRequest request) {
    if (!request.isEnded()) new Intake(request, 0).start(any -> {}, () -> {});
  }

  static void read(HttpServerRequest request, int most, Consumer<Buffer> whole, Runnable tooLarge) {
    Intake intake = new Intake(request, most);
    intake.wanted = true;
    if (announced(request) > most) intake.refuse(tooLarge);
    intake.start(whole, tooLarge);
  }

  private void start(Consumer<Buffer> whole, Runnable tooLargeThen) {
    request.exceptionHandler(broken -> wanted = false);
    request.handler(chunk -> {
      seen += chunk.length();
      if (wanted && seen <= most) taken.appendBuffer(chunk);
      else if (wanted) refuse(tooLargeThen);
      if (seen > DROPPED_MOST) request.connection().close();
    });
    request.endHandler(any -> {
      if (wanted) whole.accept(taken);
    });
  }

  private void refuse(Runnable then) {
    wanted = false;
    if (tooLarge) return;
    tooLarge = true;
    then.run();
  }

  /** The length that the head promises; 0 when it does not say. */
  private static long announced(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    if (length == null || !LENGTH.matcher(length).matches()) return 0;
    return Long.parseLong(length);
  }

  /** Whether there is a body at all. */
  static boolean isThere(HttpServerRequest request) {
    return announced(request) > 0 || request.getHeader("Transfer-Encoding") != null;
  }
}
