// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What the libraries below us say of themselves: the JVM, Netty, Vert.x. Their names are theirs,
 * behind our prefix; what nobody would look at is left out, since a scrape has to stay small.
 */
final class Libraries implements AutoCloseable {
  private static final Set<String> LEFT_OUT =
      Set.of(
          "jvm.memory.committed",
          "jvm.buffer.count",
          "jvm.buffer.total.capacity",
          "jvm.gc.live.data.size",
          "jvm.gc.max.data.size",
          "jvm.threads.states",
          "jvm.threads.started");

  /** With any label of Vert.x's a scrape would hold addresses or paths. */
  private static final Set<Label> NO_LABELS = EnumSet.noneOf(Label.class);

  private static final List<MetricsDomain> KEPT =
      List.of(MetricsDomain.HTTP_SERVER, MetricsDomain.HTTP_CLIENT);

  private final MeterRegistry registry;
  private final JvmGcMetrics collector = new JvmGcMetrics();

  Libraries(MeterRegistry registry) {
    this.registry = registry;
    registry.config().meterFilter(MeterFilter.deny(id -> LEFT_OUT.contains(id.getName())));
    new JvmMemoryMetrics().bindTo(registry);
    collector.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider netty) {
      new NettyAllocatorMetrics(netty).bindTo(registry);
    }
  }

  /** A Vert.x that counts here. */
  VertxBuilder vertx() {
    MicrometerMetricsOptions metrics =
        new MicrometerMetricsOptions().setEnabled(true).setLabels(NO_LABELS);
    for (MetricsDomain domain : MetricsDomain.values()) {
      if (!KEPT.contains(domain)) metrics.addDisabledMetricsCategory(domain.toCategory());
    }
    return Vertx.builder()
        .with(new VertxOptions().setMetricsOptions(metrics))
        .withMetrics(new MicrometerMetricsFactory(registry));
  }

  @Override
  public void close() {
    collector.close();
  }
}
