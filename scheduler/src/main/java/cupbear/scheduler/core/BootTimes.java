// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long boots took from "start asked" to "proven", per template. A boot that missed its deadline
 * is to be noted with the deadline, or the figures would only know the lucky ones.
 *
 * <p>An immutable value of its regional pool's loop; a new leader starts empty and falls back on
 * the assumed boot time.
 */
public record BootTimes(Map<TemplateVersion, List<Duration>> newest) {
  /** Enough for a p99 that means something, few enough to follow a change within the hour. */
  private static final int SAMPLES_KEPT = 200;

  /** The one being rolled out and the one before; older ones have nothing left to boot. */
  private static final int TEMPLATES_KEPT = 4;

  /** Below this a p99 is only the slowest so far. */
  private static final int SAMPLES_ENOUGH = 20;

  /** A pool of fast boots must not condemn the first one that meets a busy host. */
  private static final Duration DEADLINE_LEAST = Duration.ofSeconds(30);

  /** Nobody waits longer than this for a Machine, however slow the image has become. */
  private static final Duration DEADLINE_MOST = Duration.ofMinutes(15);

  public static final BootTimes NONE = new BootTimes(Map.of());

  public BootTimes {
    Map<TemplateVersion, List<Duration>> copy = new TreeMap<>();
    newest.forEach((version, samples) -> copy.put(version, List.copyOf(samples)));
    newest = java.util.Collections.unmodifiableMap(copy);
  }

  public BootTimes with(TemplateVersion version, Duration took) {
    TreeMap<TemplateVersion, List<Duration>> next = new TreeMap<>(newest);
    List<Duration> samples = new ArrayList<>(next.getOrDefault(version, List.of()));
    samples.add(took.isNegative() ? Duration.ZERO : took);
    int surplus = Math.max(0, samples.size() - SAMPLES_KEPT);
    next.put(version, samples.subList(surplus, samples.size()));
    if (next.size() > TEMPLATES_KEPT) {
      // Not the one just measured: after a step back it is the lowest of all.
      TemplateVersion lowest = next.firstKey();
      next.remove(lowest.equals(version) ? next.lastKey() : lowest);
    }
    return new BootTimes(next);
  }

  public BootFigures figures(TemplateVersion version) {
    List<Duration> sorted = newest.getOrDefault(version, List.of()).stream().sorted().toList();
    return sorted.isEmpty()
        ? BootFigures.NONE
        : new BootFigures(sorted.size(), Quantile.of(sorted, 0.95), Quantile.of(sorted, 0.99));
  }

  /** How long a boot may take before the Machine is given up. */
  public static Duration deadline(BootFigures figures, Policy.Probing probing) {
    if (figures.samples() < SAMPLES_ENOUGH) return probing.bootDeadline();
    double millis = (double) figures.p99().toMillis() * probing.bootDeadlineFactor();
    Duration slowest = Duration.ofMillis((long) millis);
    if (slowest.compareTo(DEADLINE_LEAST) < 0) return DEADLINE_LEAST;
    return slowest.compareTo(DEADLINE_MOST) > 0 ? DEADLINE_MOST : slowest;
  }

  /** How long a replacement takes, for sizing and for telling a caller when to come back. */
  public static Duration leadTime(BootFigures figures, Policy.Sizing sizing) {
    return figures.samples() == 0 ? sizing.bootAssumed() : figures.p95();
  }
}
