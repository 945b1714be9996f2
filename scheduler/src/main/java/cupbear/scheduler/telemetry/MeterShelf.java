// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Series that come and go together, such as those of one regional pool. */
final class MeterShelf {
  private final MeterRegistry registry;
  private final Tags common;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * @param common label, value, label, value …
   */
  MeterShelf(MeterRegistry registry, String... common) {
    this.registry = registry;
    this.common = Tags.of(common);
  }

  Counter counter(Metric metric, String... more) {
    return kept(
        Counter.builder(metric.base())
            .description(metric.help())
            .tags(tags(metric, Metric.Kind.COUNTER, more))
            .register(registry));
  }

  Timer histogram(Metric metric, String... more) {
    return kept(
        Timer.builder(metric.base())
            .description(metric.help())
            .tags(tags(metric, Metric.Kind.HISTOGRAM, more))
            .serviceLevelObjectives(metric.buckets().toArray(Duration[]::new))
            .register(registry));
  }

  void gauge(Metric metric, DoubleSupplier value, String... more) {
    kept(
        Gauge.builder(metric.base(), value::getAsDouble)
            .description(metric.help())
            .tags(tags(metric, Metric.Kind.GAUGE, more))
            .register(registry));
  }

  /** None of them is shown any more. */
  void clear() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private Tags tags(Metric metric, Metric.Kind kind, String... more) {
    Tags all = common.and(more);
    List<String> keys = all.stream().map(tag -> tag.getKey()).toList();
    if (metric.kind() != kind
        || !keys.containsAll(metric.labels())
        || keys.size() != labels(metric)) {
      throw new IllegalArgumentException(
          "%s is a %s with the labels %s, not a %s with %s"
              .formatted(metric, metric.kind(), metric.labels(), kind, keys));
    }
    return all;
  }

  private static int labels(Metric metric) {
    return metric.labels().size();
  }

  private <M extends Meter> M kept(M meter) {
    meters.add(meter);
    return meter;
  }
}
