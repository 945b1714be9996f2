// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.port.StoreTrouble;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All series of one pool that have no region: those of its way to the store. Any thread. */
final class PoolMeters {
  private record Script(Counter ok, Counter failed) {}

  private final MeterShelf shelf;
  private final Map<String, Script> scripts = new HashMap<>();
  private final Timer took;
  private final LongSupplier nanos;
  private volatile double answers = Double.NaN;
  private volatile long refusedUntilNanos;

  PoolMeters(MeterRegistry registry, PoolName pool, LongSupplier nanos) {
    this.nanos = nanos;
    shelf = new MeterShelf(registry, "pool", pool.value());
    took = shelf.histogram(Metric.CUPBEAR_STORE_CALL_DURATION);
    refusedUntilNanos = nanos.getAsLong();
    shelf.gauge(Metric.CUPBEAR_STORE_UP, this::up);
    for (String script : Labels.SCRIPTS) {
      scripts.put(script, new Script(calls(script, "ok"), calls(script, "failed")));
    }
  }

  private Counter calls(String script, String outcome) {
    return shelf.counter(Metric.CUPBEAR_STORE_CALLS, "script", script, "outcome", outcome);
  }

  /** Whether the store answered the newest look, which only reads. */
  void looked(boolean answered) {
    answers = answered ? 1 : 0;
  }

  /** A fenced write is an answer: the store works. */
  void called(String name, StoreTrouble.@Nullable Kind trouble, Duration time) {
    took.record(time);
    Script script = scripts.get(name);
    if (script == null) return;
    boolean well = trouble == null || trouble == StoreTrouble.Kind.FENCED;
    (well ? script.ok() : script.failed()).increment();
    if (!name.equals(Labels.LEAD)) return;
    long now = nanos.getAsLong();
    refusedUntilNanos = well ? now : now + RegionMeters.BELIEVED.toNanos();
  }

  /** A store without its replicas, or without room, still answers whoever only reads. */
  private double up() {
    return refusedUntilNanos - nanos.getAsLong() > 0 ? 0 : answers;
  }

  void remove() {
    shelf.clear();
  }
}
