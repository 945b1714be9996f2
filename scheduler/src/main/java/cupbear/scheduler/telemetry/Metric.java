// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every metric of ours: the only place where their names stand. docs/reference/metrics.md, the
 * rules of ops/prometheus and the dashboards of ops/grafana are held against it by tests.
 *
 * <p>Five names are fixed by contract and have no prefix; every other starts with {@code cupbear_}.
 * Labels are closed sets ({@link Labels}), never ids.
 */
public enum Metric {
  // ---- the contract
  WARM_AVAILABLE(Kind.GAUGE, Known.ALL, "free, proven, assignable Machines", "pool", "region"),
  WARM_UNHEALTHY(
      Kind.GAUGE,
      Known.ALL,
      "Machines that had been proven in this boot and fail now",
      "pool",
      "region"),
  QUEUE_DEPTH(
      Kind.GAUGE, Known.ALL, "requests in the queue that this region may serve", "pool", "region"),
  ASSIGN_LATENCY(
      Kind.HISTOGRAM,
      Known.WHO_DID_IT,
      "from a session request to its answer",
      "pool",
      "region",
      "outcome"),
  MACHINE_REPLACE_COUNT(
      Kind.COUNTER, Known.WHO_DID_IT, "Machines given up", "pool", "region", "reason"),

  // ---- the pool
  CUPBEAR_MACHINES(Kind.GAUGE, Known.ALL, "Machines by state", "pool", "region", "state"),
  CUPBEAR_WARM_MIN(Kind.GAUGE, Known.ALL, "declared warm_min", "pool", "region"),
  CUPBEAR_WARM_MAX(Kind.GAUGE, Known.ALL, "declared warm_max", "pool", "region"),
  CUPBEAR_WARM_TARGET(
      Kind.GAUGE, Known.LEADER, "warm Machines wanted after the newest pass", "pool", "region"),
  CUPBEAR_MACHINES_EXPECTED(
      Kind.GAUGE, Known.LEADER, "creates of ours that no list shows yet", "pool", "region"),
  CUPBEAR_MACHINES_UNMET(
      Kind.GAUGE, Known.LEADER, "missing, and not to be had there now", "pool", "region"),
  CUPBEAR_COST_PER_HOUR(
      Kind.GAUGE,
      Known.ALL,
      "running Machines times their declared price; 0 without a price",
      "pool",
      "region"),
  CUPBEAR_BOOT_SECONDS(
      Kind.GAUGE, Known.LEADER, "what a boot is reckoned to take (p95)", "pool", "region"),
  CUPBEAR_ASSIGN_TO_CONNECT(
      Kind.HISTOGRAM,
      Known.WHO_DID_IT,
      "from the grant to the first sign of use",
      "pool",
      "region"),

  // ---- its loop
  CUPBEAR_LEADER(Kind.GAUGE, Known.EACH, "1 where this replica leads", "pool", "region"),
  CUPBEAR_PASS_AGE_SECONDS(Kind.GAUGE, Known.LEADER, "since the newest pass", "pool", "region"),
  CUPBEAR_PAUSED(Kind.GAUGE, Known.LEADER, "1 while an operator pauses it", "pool", "region"),
  CUPBEAR_FINDINGS(
      Kind.GAUGE, Known.LEADER, "what the newest pass noticed", "pool", "region", "kind"),
  CUPBEAR_PASSES(Kind.COUNTER, Known.WHO_DID_IT, "passes made", "pool", "region"),
  CUPBEAR_PLAN_PARTIAL(
      Kind.COUNTER, Known.WHO_DID_IT, "passes that left work for the next", "pool", "region"),
  CUPBEAR_OBSERVE(
      Kind.HISTOGRAM, Known.WHO_DID_IT, "looking at Fly and the store", "pool", "region"),
  CUPBEAR_ACTIONS(
      Kind.COUNTER, Known.WHO_DID_IT, "actions ended", "pool", "region", "action", "outcome"),
  CUPBEAR_FENCED_WRITES(
      Kind.COUNTER,
      Known.WHO_DID_IT,
      "writes refused because somebody else leads by now",
      "pool",
      "region"),
  CUPBEAR_BREACHES(
      Kind.COUNTER,
      Known.WHO_DID_IT,
      "things that must not happen and did",
      "pool",
      "region",
      "rule"),

  // ---- probes
  CUPBEAR_PROBES(
      Kind.COUNTER, Known.WHO_DID_IT, "probes by verdict", "pool", "region", "depth", "verdict"),
  CUPBEAR_PROBE_DURATION(Kind.HISTOGRAM, Known.WHO_DID_IT, "one probe", "pool", "region", "depth"),

  // ---- the store
  CUPBEAR_STORE_UP(
      Kind.GAUGE,
      Known.EACH,
      "1 when this replica's newest look was answered and its leading is not refused",
      "pool"),
  CUPBEAR_STORE_CALLS(
      Kind.COUNTER, Known.WHO_DID_IT, "calls to the store", "pool", "script", "outcome"),
  CUPBEAR_STORE_CALL_DURATION(
      Kind.HISTOGRAM, Known.WHO_DID_IT, "one call, with its time in the lane", "pool"),
  CUPBEAR_STORE_LANE_WAITING(Kind.GAUGE, Known.EACH, "calls that wait to be sent, all pools"),

  // ---- Fly
  CUPBEAR_FLY_CALLS(Kind.COUNTER, Known.WHO_DID_IT, "calls to Fly's API", "action", "outcome"),
  CUPBEAR_FLY_CALL_DURATION(
      Kind.HISTOGRAM, Known.WHO_DID_IT, "on the wire, over all attempts of a call", "kind"),
  CUPBEAR_FLY_RETRIES(Kind.COUNTER, Known.WHO_DID_IT, "requests beyond the first of a call"),
  CUPBEAR_FLY_PACED_SECONDS(Kind.COUNTER, Known.WHO_DID_IT, "time spent waiting for the pace"),
  CUPBEAR_FLY_BREAKER_OPEN(Kind.GAUGE, Known.EACH, "1 while the breaker is open"),

  // ---- the API
  CUPBEAR_API_REQUESTS(Kind.COUNTER, Known.WHO_DID_IT, "answers", "route", "status"),
  CUPBEAR_API_REQUEST_DURATION(
      Kind.HISTOGRAM, Known.WHO_DID_IT, "any request but a stream of events"),
  CUPBEAR_AUTH_FAILURES(Kind.COUNTER, Known.WHO_DID_IT, "who was not let in", "reason"),
  CUPBEAR_THROTTLED(Kind.COUNTER, Known.WHO_DID_IT, "requests beyond their token's rate"),

  // ---- the replica
  CUPBEAR_BUILD_INFO(Kind.INFO, Known.EACH, "what runs here", "version", "commit", "java");

  /** What it is. */
  public enum Kind {
    GAUGE,
    COUNTER,
    HISTOGRAM,
    INFO
  }

  /** Which replicas have the figure, and so how those of several are put together. */
  public enum Known {
    /**
     * All read it from the store; they agree, but for a few seconds: {@code min} or {@code max}.
     */
    ALL("every replica", "min or max"),
    /** NaN on those that do not lead, which {@code max} passes over. */
    LEADER("the leader, NaN elsewhere", "max"),
    /** Each counts what it did itself. */
    WHO_DID_IT("whoever did it", "sum"),
    /** Each speaks of itself. */
    EACH("each of itself", "as asked");

    final String where;
    final String over;

    Known(String where, String over) {
      this.where = where;
      this.over = over;
    }
  }

  private final Kind kind;
  private final Known known;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> labels;

  Metric(Kind kind, Known known, String help, String... labels) {
    this.kind = kind;
    this.known = known;
    this.help = help;
    this.labels = List.of(labels);
  }

  public Kind kind() {
    return kind;
  }

  Known known() {
    return known;
  }

  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }

  /** The name without what its kind adds to it; how Micrometer knows it. */
  String base() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The name of the family, as scraped. */
  public String family() {
    return switch (kind) {
      case GAUGE, INFO -> base();
      case COUNTER -> base() + "_total";
      case HISTOGRAM -> base() + "_seconds";
    };
  }

  /** The names of its series, as scraped. */
  public List<String> series() {
    return switch (kind) {
      case GAUGE, INFO, COUNTER -> List.of(family());
      case HISTOGRAM -> Stream.of("_bucket", "_count", "_sum").map(end -> family() + end).toList();
    };
  }

  /** Upper edges of the buckets; none but for a histogram. */
  public List<Duration> buckets() {
    return switch (this) {
      // One edge on each promise: 400 ms is a spike, 500 ms the contract, 2 s the tail.
      case ASSIGN_LATENCY ->
          millis(1, 2, 5, 10, 20, 50, 100, 200, 400, 500, 1000, 2000, 5000, 10000);
      case CUPBEAR_ASSIGN_TO_CONNECT -> millis(100, 250, 500, 1000, 2000, 5000, 10_000, 30_000);
      case CUPBEAR_OBSERVE -> millis(50, 200, 500, 1000, 2000, 5000);
      case CUPBEAR_PROBE_DURATION -> millis(10, 50, 200, 500, 1000, 3000);
      case CUPBEAR_STORE_CALL_DURATION -> millis(1, 2, 5, 10, 25, 50, 100, 500, 2000);
      case CUPBEAR_FLY_CALL_DURATION -> millis(50, 100, 250, 500, 1000, 2500, 10_000);
      case CUPBEAR_API_REQUEST_DURATION -> millis(1, 5, 20, 100, 500, 2000, 10_000);
      default -> List.of();
    };
  }

  private static List<Duration> millis(long... edges) {
    return Arrays.stream(edges).mapToObj(Duration::ofMillis).toList();
  }
}
