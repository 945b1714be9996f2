// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.fly.Action;
import cupbear.fly.FlyHooks;
import cupbear.fly.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of Fly and how it went; and the trace that a call belongs to, as a header. Called
 * on the client's event loop.
 */
final class FlyCounts implements FlyHooks {
  private final Map<String, Map<String, Counter>> calls = new HashMap<>();
  private final Map<String, Timer> took = new HashMap<>();
  private final Counter retries;
  private final Counter paced;
  private final Set<String> open = ConcurrentHashMap.newKeySet();
  private final Function<String, @Nullable String> traceOf;

  /**
   * @param traceOf the traceparent of what is being done to a Machine now; null when nothing is
   */
  FlyCounts(MeterRegistry registry, Function<String, @Nullable String> traceOf) {
    this.traceOf = traceOf;
    MeterShelf shelf = new MeterShelf(registry);
    for (String action : Labels.FLY_ACTIONS) {
      Map<String, Counter> byOutcome = new HashMap<>();
      for (String outcome : Labels.FLY_OUTCOMES) {
        byOutcome.put(
            outcome, shelf.counter(Metric.CUPBEAR_FLY_CALLS, "action", action, "outcome", outcome));
      }
      calls.put(action, byOutcome);
    }
    for (String kind : Labels.FLY_KINDS) {
      took.put(kind, shelf.histogram(Metric.CUPBEAR_FLY_CALL_DURATION, "kind", kind));
    }
    retries = shelf.counter(Metric.CUPBEAR_FLY_RETRIES);
    paced = shelf.counter(Metric.CUPBEAR_FLY_PACED_SECONDS);
    shelf.gauge(Metric.CUPBEAR_FLY_BREAKER_OPEN, () -> open.isEmpty() ? 0 : 1);
  }

  @Override
  public CallHook started(CallInfo call) {
    return new CallHook() {
      @Override
      public void sending(int number, BiConsumer<String, String> headers) {
        String traceparent = traceOf.apply(call.machine());
        if (traceparent != null) headers.accept("traceparent", traceparent);
      }

      @Override
      public void ended(Ending ending) {
        count(call.action(), ending);
      }
    };
  }

  private void count(Action action, Ending ending) {
    String label = calls.containsKey(action.label()) ? action.label() : Labels.OTHER;
    Map<String, Counter> byOutcome = calls.get(label);
    Counter counter = byOutcome == null ? null : byOutcome.get(word(action, ending.outcome()));
    if (counter != null) counter.increment();
    Timer timer = took.get(kind(action));
    if (timer != null) timer.record(ending.onWire());
    // A long poll goes on in rounds; the next round repeats nothing that failed.
    if (!action.isLongPoll()) retries.increment(Math.max(0, ending.attempts() - 1));
    paced.increment(seconds(ending.paced()));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static String kind(Action action) {
    if (action.isLongPoll()) return "wait";
    return action.changes() ? "write" : "read";
  }

  /**
   * Refused: Fly works, and says no. Denied: not with this token. Failed: it does not work. A
   * Machine that was watched and went on running is the usual end of a watch, and no failure.
   */
  static String word(Action action, Outcome outcome) {
    return switch (outcome) {
      case OK, FOUND_DONE -> "ok";
      case TIMED_OUT -> action.isLongPoll() ? "ok" : "failed";
      case RATE_LIMITED -> "rate_limited";
      case UNAUTHORISED, FORBIDDEN -> "denied";
      case NOT_FOUND,
          LEASE_HELD,
          NAME_TAKEN,
          NO_CAPACITY,
          PRECONDITION,
          VERSION_CONFLICT,
          MACHINE_LIMIT ->
          "refused";
      case UNREACHABLE, UNAVAILABLE, BAD_REQUEST, UNREADABLE -> "failed";
    };
  }

  @Override
  public void breaker(String host, boolean isOpen) {
    if (isOpen) open.add(host);
    else open.remove(host);
  }
}
