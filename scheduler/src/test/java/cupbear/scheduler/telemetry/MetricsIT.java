// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.telemetry.Scrape.Sample;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running replica with three regions shows. */
class MetricsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int SERIES_MOST = 1000;

  @TempDir Path folder;
  private Replica replica;

  @BeforeEach
  void open() {
    Telemetry telemetry = Telemetry.start(new Telemetry.Build("1.2.3", "abc", "25"), Map.of());
    replica =
        new Replica(folder, telemetry, Declared.pool(Replica.POOL, 2, true, "iad", "lhr", "nrt"));
  }

  @AfterEach
  void close() {
    replica.close();
  }

  @Test
  void everySeriesIsThereFromTheFirstScrape() {
    Scrape first = replica.scrape();
    for (Metric metric : Metric.values()) {
      assertThat(first.names()).containsAll(metric.series());
      assertThat(first.types()).containsEntry(metric.family(), type(metric.kind()));
      for (Sample sample : first.find(metric.series().getFirst())) {
        Set<String> labels = new HashSet<>(sample.labels().keySet());
        labels.remove("le");
        assertThat(labels).as(metric.family()).containsExactlyInAnyOrderElementsOf(metric.labels());
      }
    }
    for (String region : List.of("iad", "lhr", "nrt")) {
      for (Labels.Assign outcome : Labels.Assign.values()) {
        String word = Labels.word(outcome);
        assertThat(first.find("assign_latency_seconds_bucket", "region", region, "outcome", word))
            .extracting(bucket -> bucket.labels().get("le"))
            .containsExactly(
                "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.4", "0.5",
                "1.0", "2.0", "5.0", "10.0", "+Inf");
      }
    }
  }

  private static String type(Metric.Kind kind) {
    return switch (kind) {
      case GAUGE, INFO -> "gauge";
      case COUNTER -> "counter";
      case HISTOGRAM -> "histogram";
    };
  }

  @Test
  void aSessionShowsInTheFiguresAndTheScrapeStaysSmall() {
    await().atMost(SOON).until(() -> replica.warm("iad") >= 2 && replica.warm("nrt") >= 2);
    Set<String> before = series(replica.scrape());
    try (Gateway gateway = new Gateway(replica)) {
      var answer = gateway.create("{\"pool\":\"viewers\",\"region\":\"iad\"}");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      gateway.connected(new JsonObject(answer.body()));
      assertThat(gateway.create("{\"pool\":\"no-such\"}").statusCode()).isEqualTo(400);
    }
    Scrape now = replica.scrape();
    String[] iad = {"pool", "viewers", "region", "iad"};
    assertThat(now.value("cupbear_leader", iad)).isEqualTo(1);
    assertThat(now.value("cupbear_warm_min", iad)).isEqualTo(2);
    assertThat(now.value("cupbear_warm_max", iad)).isEqualTo(4);
    assertThat(now.value("cupbear_pass_age_seconds", iad)).isBetween(0.0, 30.0);
    assertThat(now.value("cupbear_cost_per_hour", iad)).isPositive();
    assertThat(now.value("cupbear_store_up", "pool", "viewers")).isEqualTo(1);
    assertThat(now.value("assign_latency_seconds_count", "region", "iad", "outcome", "assigned"))
        .isEqualTo(1);
    assertThat(now.value("cupbear_assign_to_connect_seconds_count", iad)).isEqualTo(1);
    assertThat(
            now.value(
                "cupbear_actions_total", "region", "iad", "action", "create", "outcome", "done"))
        .isGreaterThanOrEqualTo(2);
    assertThat(
            now.value("cupbear_api_requests_total", "route", "POST /v1/sessions", "status", "2xx"))
        .isEqualTo(1);
    Set<String> born = new TreeSet<>(series(now));
    born.removeAll(before);
    born.removeIf(each -> each.startsWith("cupbear_vertx_") || each.startsWith("cupbear_jvm_"));
    assertThat(born).as("series that were not there before anything happened").isEmpty();
    Set<String> ours =
        Set.of("warm_available", "warm_unhealthy", "queue_depth", "machine_replace_count_total");
    assertThat(now.names())
        .allMatch(name ->
            name.startsWith("cupbear_")
                || name.startsWith("assign_latency_seconds")
                || ours.contains(name));
    for (String library : List.of("cupbear_jvm_", "cupbear_netty_", "cupbear_vertx_http_server_")) {
      assertThat(now.names()).as(library).anyMatch(name -> name.startsWith(library));
    }
    int count = now.samples().size();
    System.out.printf("series of a 3-region pool: %d; %s%n", count, costOfAScrape());
    assertThat(count).isLessThan(SERIES_MOST);
  }

  private static Set<String> series(Scrape scrape) {
    Set<String> series = new TreeSet<>();
    scrape.samples().forEach(sample -> series.add(sample.name() + sample.labels()));
    return series;
  }

  /** For people to read; a shared machine is no place for a timed assertion. */
  private String costOfAScrape() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Stream.generate(replica.telemetry::scrape).limit(200).forEach(any -> {});
    long began = threads.getCurrentThreadCpuTime();
    Stream.generate(replica.telemetry::scrape).limit(50).forEach(any -> {});
    long each = (threads.getCurrentThreadCpuTime() - began) / 50;
    return "one scrape takes %.2f ms of CPU".formatted(each / 1e6);
  }

  @Test
  void seriesGoWithTheirRegionAndTheirPool() {
    assertThat(replica.scrape().find("warm_available", "region", "nrt")).hasSize(1);
    PoolName other = new PoolName("other");
    replica.pools.swap(
        List.of(
            Declared.pool(Replica.POOL, 3, true, "iad", "lhr"),
            Declared.pool(other, 1, true, "ams")));
    replica.telemetry.declared(replica.fleet, replica.board);
    Scrape two = replica.scrape();
    assertThat(two.samples()).noneMatch(sample -> "nrt".equals(sample.labels().get("region")));
    assertThat(two.value("cupbear_warm_min", "pool", "viewers", "region", "iad")).isEqualTo(3);
    assertThat(two.find("cupbear_store_calls_total", "pool", "other")).isNotEmpty();
    replica.pools.swap(List.of(Declared.pool(Replica.POOL, 3, true, "iad", "lhr")));
    replica.telemetry.declared(replica.fleet, replica.board);
    assertThat(replica.scrape().samples())
        .noneMatch(sample -> "other".equals(sample.labels().get("pool")));
  }
}
