// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.trace.Span;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace that a request belongs to, and our own place in it; for requests that nobody keeps
 * a trace of, so that logs and answers can be told apart all the same.
 */
record Trace(String traceId, String spanId, String flags) implements Span {
  private static final Pattern SHAPE =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final String NO_TRACE = "0".repeat(32);
  private static final String NO_SPAN = "0".repeat(16);

  /** Goes on with the caller's trace; one that cannot be read starts anew, as the standard says. */
  static Trace from(@Nullable String traceparent) {
    if (traceparent == null || !SHAPE.matcher(traceparent).matches()) return fresh();
    String trace = traceparent.substring(3, 35);
    String span = traceparent.substring(36, 52);
    boolean unusable =
        traceparent.startsWith("ff") || trace.equals(NO_TRACE) || span.equals(NO_SPAN);
    return unusable ? fresh() : new Trace(trace, id(), traceparent.substring(53));
  }

  /** Somebody keeps a trace: this is our place in it. */
  static Trace at(String traceparent) {
    return new Trace(
        traceparent.substring(3, 35), traceparent.substring(36, 52), traceparent.substring(53));
  }

  static Trace fresh() {
    return new Trace(id() + id(), id(), "00");
  }

  @Override
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-" + flags;
  }

  /** 64 random bits, never all zero. */
  private static String id() {
    long bits = ThreadLocalRandom.current().nextLong();
    return "%016x".formatted(bits == 0 ? 1 : bits);
  }
}
