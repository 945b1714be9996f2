// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All series of one regional pool, from the day it is declared until it is no more. Any thread.
 *
 * <p>Figures of the store are NaN once they are older than {@link #BELIEVED}: an old number looks
 * like a true one. Figures of the loop are NaN where it does not run.
 */
final class RegionMeters {
  /** Three looks that failed in a row. */
  static final Duration BELIEVED = Duration.ofSeconds(15);

  /** What the store said, and when. */
  private record Told(Map<Standing, Integer> machines, int unhealthy, int waiting, long atNanos) {}

  private final MeterShelf shelf;
  private final PoolName pool;
  private final Region region;
  private final LongSupplier nanos;
  private final Map<Labels.Assign, Timer> assigned = new EnumMap<>(Labels.Assign.class);
  private final Map<String, Counter> replaced = new HashMap<>();
  private final Map<ActionKind, Map<Labels.Act, Counter>> acted = new EnumMap<>(ActionKind.class);
  private final Map<String, Map<Verdict, Counter>> probes = new HashMap<>();
  private final Map<String, Timer> probeTimes = new HashMap<>();
  private final Map<String, Counter> breaches = new HashMap<>();
  private final Timer connected;
  private final Timer observed;
  private final Counter passes;
  private final Counter partial;
  private final Counter fenced;
  private volatile @Nullable Desired desired;
  private volatile @Nullable Told told;
  private volatile @Nullable RegionBoard board;
  private volatile long passedAtNanos;

  RegionMeters(MeterRegistry registry, PoolName pool, Region region, LongSupplier nanos) {
    this.shelf = new MeterShelf(registry, "pool", pool.value(), "region", region.code());
    this.pool = pool;
    this.region = region;
    this.nanos = nanos;
    this.connected = shelf.histogram(Metric.CUPBEAR_ASSIGN_TO_CONNECT);
    this.observed = shelf.histogram(Metric.CUPBEAR_OBSERVE);
    this.passes = shelf.counter(Metric.CUPBEAR_PASSES);
    this.partial = shelf.counter(Metric.CUPBEAR_PLAN_PARTIAL);
    this.fenced = shelf.counter(Metric.CUPBEAR_FENCED_WRITES);
    layOutCounters();
    layOutProbes();
    layOutStore();
    layOutLoop();
  }

  private void layOutCounters() {
    for (Labels.Assign outcome : Labels.Assign.values()) {
      assigned.put(
          outcome, shelf.histogram(Metric.ASSIGN_LATENCY, "outcome", Labels.word(outcome)));
    }
    for (Reason reason : Labels.REPLACED) layOutReplaced(reason.word());
    layOutReplaced(Labels.OTHER);
    for (ActionKind kind : ActionKind.values()) {
      Map<Labels.Act, Counter> byOutcome = new EnumMap<>(Labels.Act.class);
      for (Labels.Act outcome : Labels.Act.values()) {
        byOutcome.put(
            outcome,
            shelf.counter(
                Metric.CUPBEAR_ACTIONS,
                "action",
                Labels.word(kind),
                "outcome",
                Labels.word(outcome)));
      }
      acted.put(kind, byOutcome);
    }
    for (String rule : Labels.RULES) {
      breaches.put(rule, shelf.counter(Metric.CUPBEAR_BREACHES, "rule", rule));
    }
  }

  private void layOutReplaced(String reason) {
    replaced.put(reason, shelf.counter(Metric.MACHINE_REPLACE_COUNT, "reason", reason));
  }

  private void layOutProbes() {
    for (String depth : Labels.DEPTHS) {
      Map<Verdict, Counter> byVerdict = new EnumMap<>(Verdict.class);
      for (Verdict verdict : Verdict.values()) {
        byVerdict.put(
            verdict,
            shelf.counter(Metric.CUPBEAR_PROBES, "depth", depth, "verdict", Labels.word(verdict)));
      }
      probes.put(depth, byVerdict);
      probeTimes.put(depth, shelf.histogram(Metric.CUPBEAR_PROBE_DURATION, "depth", depth));
    }
  }

  private void layOutStore() {
    shelf.gauge(Metric.WARM_AVAILABLE, () -> store(it -> count(it, Standing.WARM)));
    shelf.gauge(Metric.WARM_UNHEALTHY, () -> store(Told::unhealthy));
    shelf.gauge(Metric.QUEUE_DEPTH, () -> store(Told::waiting));
    for (Standing state : Standing.values()) {
      shelf.gauge(
          Metric.CUPBEAR_MACHINES, () -> store(it -> count(it, state)), "state", state.word());
    }
    shelf.gauge(Metric.CUPBEAR_COST_PER_HOUR, () -> store(this::cost));
    shelf.gauge(Metric.CUPBEAR_WARM_MIN, () -> declared(it -> it.bounds().warmMin()));
    shelf.gauge(Metric.CUPBEAR_WARM_MAX, () -> declared(it -> it.bounds().warmMax()));
  }

  private void layOutLoop() {
    shelf.gauge(Metric.CUPBEAR_LEADER, () -> status() == null ? 0 : 1);
    shelf.gauge(Metric.CUPBEAR_WARM_TARGET, () -> led(it -> it.target().warm()));
    shelf.gauge(Metric.CUPBEAR_MACHINES_EXPECTED, () -> led(it -> it.counts().expected()));
    shelf.gauge(Metric.CUPBEAR_MACHINES_UNMET, () -> led(RegionStatus::unmet));
    shelf.gauge(Metric.CUPBEAR_BOOT_SECONDS, () -> led(it -> it.boot().toMillis() / 1000.0));
    shelf.gauge(Metric.CUPBEAR_PAUSED, () -> led(it -> it.paused() ? 1 : 0));
    shelf.gauge(
        Metric.CUPBEAR_PASS_AGE_SECONDS,
        () -> led(it -> (nanos.getAsLong() - passedAtNanos) / 1e9));
    for (Finding.Kind kind : Finding.Kind.values()) {
      shelf.gauge(Metric.CUPBEAR_FINDINGS, () -> led(it -> found(it, kind)), "kind", kind.word());
    }
  }

  // ---- figures

  void declare(Desired what) {
    desired = what;
  }

  void watch(RegionBoard whoLeads) {
    board = whoLeads;
  }

  /** The store was read. */
  void tell(Fleet.RegionView view) {
    Map<Standing, Integer> machines = new EnumMap<>(Standing.class);
    view.snapshot()
        .machines()
        .forEach(each -> machines.merge(each.state().standing(), 1, Integer::sum));
    told = new Told(machines, view.unhealthy(), view.snapshot().waiting(), nanos.getAsLong());
  }

  private double store(ToDoubleFunction<Told> figure) {
    Told it = told;
    boolean young = it != null && nanos.getAsLong() - it.atNanos() < BELIEVED.toNanos();
    return it != null && young ? figure.applyAsDouble(it) : Double.NaN;
  }

  private static double count(Told it, Standing state) {
    return it.machines().getOrDefault(state, 0);
  }

  /** What is neither stopped nor on its way out runs, and is paid for. */
  private double cost(Told it) {
    Desired what = desired;
    Desired.Budget budget = what == null ? null : what.budget();
    if (budget == null) return 0;
    double running = it.machines().values().stream().mapToInt(Integer::intValue).sum();
    return (running - count(it, Standing.PARKED)) * budget.machinePerHour();
  }

  private double declared(ToDoubleFunction<Desired> figure) {
    Desired it = desired;
    return it == null ? Double.NaN : figure.applyAsDouble(it);
  }

  private @Nullable RegionStatus status() {
    RegionBoard whoLeads = board;
    return whoLeads == null ? null : whoLeads.status(pool, region).orElse(null);
  }

  private double led(ToDoubleFunction<RegionStatus> figure) {
    RegionStatus it = status();
    return it == null ? Double.NaN : figure.applyAsDouble(it);
  }

  private static double found(RegionStatus status, Finding.Kind kind) {
    return status.findings().stream()
        .filter(finding -> finding.kind() == kind)
        .mapToInt(finding -> Math.max(1, finding.count()))
        .sum();
  }

  // ---- events

  void assigned(String outcome, Duration took) {
    timer(assigned, Labels.Assign.of(outcome)).record(took);
  }

  void connected(Duration took) {
    connected.record(took);
  }

  void observed(Duration took) {
    observed.record(took);
  }

  void planned(Plan plan) {
    passedAtNanos = nanos.getAsLong();
    passes.increment();
    if (plan.partial()) partial.increment();
  }

  void acted(ActionKind kind, String outcome) {
    Map<Labels.Act, Counter> byOutcome = acted.get(kind);
    Counter counter = byOutcome == null ? null : byOutcome.get(Labels.Act.of(outcome));
    if (counter != null) counter.increment();
  }

  void replaced(Reason reason) {
    increment(replaced.get(Labels.replaced(reason)));
  }

  void probed(Probes.Depth how, Verdict verdict, Duration took) {
    String depth = Labels.depth(how);
    Map<Verdict, Counter> byVerdict = probes.get(depth);
    if (byVerdict != null) increment(byVerdict.get(verdict));
    Timer timer = probeTimes.get(depth);
    if (timer != null) timer.record(took);
  }

  void fenced() {
    fenced.increment();
  }

  void breach(String what) {
    increment(breaches.get(Labels.rule(what)));
  }

  /** It is declared no more. */
  void remove() {
    shelf.clear();
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) counter.increment();
  }

  private static <K> Timer timer(Map<K, Timer> timers, K key) {
    Timer timer = timers.get(key);
    if (timer == null) throw new IllegalStateException("no series for " + key);
    return timer;
  }
}
