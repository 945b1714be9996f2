// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules between keys. A rule is silent when one of its values could not be read: that has its
 * own problem already.
 */
final class CrossRules {
  private final Values values;
  private final List<Problem> problems;

  private CrossRules(Values values, List<Problem> problems) {
    this.values = values;
    this.problems = problems;
  }

  static void check(Values values, List<Problem> problems) {
    CrossRules rules = new CrossRules(values, problems);
    rules.server();
    rules.thresholds(null);
    List<String> pools = values.below("pools");
    if (pools.isEmpty() && !values.isBroken("pools")) {
      problems.add(Problem.of(values.origin("pools"), "pools", "is empty; declare at least one"));
    }
    pools.forEach(rules::pool);
  }

  private void server() {
    var api = values.find(ServerKeys.LISTEN_API);
    if (api != null && api.port() != 0 && api.equals(values.find(ServerKeys.LISTEN_OPS))) {
      add(ServerKeys.LISTEN_OPS.path(), api.toString(), "listen.api has it; give another port");
    }
  }

  private void pool(String pool) {
    thresholds(pool);
    regions(pool);
    order(pool);
    budget(pool);
    steps(pool);
    viewerSecrets(pool);
  }

  /** The first must not be longer than the second. */
  private void thresholds(@Nullable String pool) {
    notLonger(ThresholdKeys.WAIT_DEFAULT, ThresholdKeys.WAIT_MAX, pool, true);
    notLonger(ThresholdKeys.FAST_WINDOW, ThresholdKeys.SLOW_WINDOW, pool, false);
    notLonger(ThresholdKeys.CREATE_BACKOFF_MIN, ThresholdKeys.CREATE_BACKOFF_MAX, pool, true);
    notLonger(ThresholdKeys.GUACD_EVERY, ThresholdKeys.GUACD_TRUST, pool, false);
    notLonger(ThresholdKeys.RDP_EVERY, ThresholdKeys.RDP_TRUST, pool, false);
  }

  private void notLonger(
      Key<Duration> first, Key<Duration> second, @Nullable String pool, boolean mayEqual) {
    boolean saidAtTheTop = pool != null && !isOwn(first, pool) && !isOwn(second, pool);
    Duration a = threshold(first, pool);
    Duration b = threshold(second, pool);
    if (saidAtTheTop || a == null || b == null) return;
    if (a.compareTo(b) < (mayEqual ? 1 : 0)) return;
    if (isToBlame(first, pool)) {
      String than = mayEqual ? "give no more than %s (%s)" : "give less than %s (%s)";
      add(pathOf(first, pool), Amounts.show(a), than.formatted(second.path(), Amounts.show(b)));
    } else {
      String than = mayEqual ? "give no less than %s (%s)" : "give more than %s (%s)";
      add(pathOf(second, pool), Amounts.show(b), than.formatted(first.path(), Amounts.show(a)));
    }
  }

  /** Whether somebody wrote it, in this pool when it is about one; a default is not to blame. */
  private boolean isToBlame(Key<?> key, @Nullable String pool) {
    return pool == null ? values.isWritten(key) : isOwn(key, pool);
  }

  private boolean isOwn(Key<?> key, String pool) {
    return values.isWritten(key.ofOnePool(), pool);
  }

  private @Nullable Duration threshold(Key<Duration> key, @Nullable String pool) {
    return pool != null && isOwn(key, pool) ? values.find(key.ofOnePool(), pool) : values.find(key);
  }

  private static String pathOf(Key<?> key, @Nullable String pool) {
    return pool == null ? key.path() : key.ofOnePool().at(List.of(pool));
  }

  private void regions(String pool) {
    String path = "pools.%s.regions".formatted(pool);
    List<String> regions = values.below(path);
    if (regions.isEmpty() && !values.isBroken(path)) {
      problems.add(Problem.of(around(path), path, "is missing; declare at least one region"));
    }
    for (String region : regions) {
      Integer min = values.find(PoolKeys.WARM_MIN, pool, region);
      Integer max = values.find(PoolKeys.WARM_MAX, pool, region);
      if (min == null || max == null || min <= max) continue;
      add(
          PoolKeys.WARM_MIN.at(List.of(pool, region)),
          min.toString(),
          "give no more than warm_max (%d)".formatted(max));
    }
  }

  /** A region that the pool does not have would be passed over without a word. */
  private void order(String pool) {
    List<String> regions = values.below("pools.%s.regions".formatted(pool));
    for (String from : values.below("pools.%s.placement.order".formatted(pool))) {
      List<String> order = values.find(PoolKeys.ORDER, pool, from);
      if (order == null) continue;
      for (String each : order) {
        if (regions.contains(each)) continue;
        String path = PoolKeys.ORDER.at(List.of(pool, from));
        String rule = "names a region that the pool does not have";
        Optional<String> nearest = Nearest.to(each, regions);
        problems.add(new Problem(values.origin(path), path, each, rule, nearest.orElse(null)));
      }
    }
  }

  private void budget(String pool) {
    boolean budget = values.isWritten(PoolKeys.BUDGET_PER_HOUR, pool);
    boolean price = values.isWritten(PoolKeys.MACHINE_PER_HOUR, pool);
    if (budget && !price) {
      String path = PoolKeys.MACHINE_PER_HOUR.at(List.of(pool));
      String rule = "is missing; a budget needs the price of a Machine";
      String given = PoolKeys.BUDGET_PER_HOUR.at(List.of(pool));
      problems.add(Problem.of(values.origin(given), path, rule));
    }
  }

  private void steps(String pool) {
    String path = "pools.%s.teardown".formatted(pool);
    List<String> steps = values.below(path);
    Map<String, String> seen = new java.util.HashMap<>();
    TreeSet<Integer> positions = new TreeSet<>();
    for (String step : steps) {
      positions.add(Integer.parseInt(step));
      String name = values.find(PoolKeys.STEP_NAME, pool, step);
      if (name != null && seen.put(name, step) != null) {
        String at = PoolKeys.STEP_NAME.at(List.of(pool, step));
        add(at, name, "another step has this name; give each its own");
      }
    }
    if (!positions.isEmpty() && positions.last() != steps.size() - 1) {
      String last = path + "." + positions.last();
      String rule = "leaves a gap; steps count from 0 without one";
      problems.add(Problem.of(values.origin(last), last, rule));
    }
  }

  /** Everybody who may read the file, or a Machine's configuration at Fly, could read these. */
  private void viewerSecrets(String pool) {
    for (String name : values.below("pools.%s.template.env".formatted(pool))) {
      if (!Keys.soundsSecret(name)) continue;
      String path = PoolKeys.ENV.at(List.of(pool, name));
      String rule =
          "sounds like a secret, which must not lie in a file; "
              + "use fly secrets set %s=… on the viewer app".formatted(name);
      problems.add(Problem.of(values.origin(path), path, rule));
    }
  }

  private Origin around(String path) {
    return values.origin(path.substring(0, path.lastIndexOf('.')));
  }

  private void add(String path, String value, String rule) {
    problems.add(new Problem(values.origin(path), path, value, rule, null));
  }
}
