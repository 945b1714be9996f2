// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Micrometer on one side, Prometheus' text on the other. Any thread. */
final class Registry {
  private static final String PREFIX = "cupbear_";

  private final PrometheusRegistry families = new PrometheusRegistry();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, families, Clock.SYSTEM);
  private final PrometheusTextFormatWriter writer =
      PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build();

  Registry() {
    meters.config().namingConvention(new Naming());
  }

  MeterRegistry meters() {
    return meters;
  }

  /** What runs here. Micrometer would take the {@code _info} off its name. */
  void info(Metric metric, Map<String, String> facts) {
    List<String> labels = metric.labels();
    Info.builder()
        .name(metric.family())
        .help(metric.help())
        .labelNames(labels.toArray(String[]::new))
        .register(families)
        .setLabelValues(
            labels.stream().map(label -> facts.getOrDefault(label, "")).toArray(String[]::new));
  }

  String scrape() {
    List<MetricSnapshot> shown = families.scrape().stream().filter(Registry::isShown).toList();
    ByteArrayOutputStream text = new ByteArrayOutputStream(64 * 1024);
    try {
      writer.write(text, new MetricSnapshots(shown));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /** The largest value of a while: does not add up over replicas, and buckets say as much. */
  private static boolean isShown(MetricSnapshot family) {
    String name = family.getMetadata().getPrometheusName();
    return !name.endsWith("_seconds_max") && !name.endsWith("_bytes_max");
  }

  /** Our own names as they are; those of libraries behind our prefix. */
  private static final class Naming extends PrometheusNamingConvention {
    private static final Set<String> OWN = own();

    @Override
    public String name(String name, Meter.Type type, @Nullable String unit) {
      return OWN.contains(name)
          ? super.name(name, type, unit)
          : super.name(PREFIX + name, type, unit);
    }

    private static Set<String> own() {
      Set<String> names = new HashSet<>();
      for (Metric metric : Metric.values()) names.add(metric.base());
      return Set.copyOf(names);
    }
  }
}
