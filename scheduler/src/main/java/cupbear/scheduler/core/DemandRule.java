// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired.Bounds;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Target;
import java.time.Duration;

/**
 * How many warm Machines a regional pool should have: base stock on arrivals over the boot time, up
 * at once, down slowly.
 */
public final class DemandRule {
  /**
   * One-sided 90 % bound on a Poisson count: an estimate that is too high costs minutes of idling,
   * one that is too low costs somebody a wait.
   */
  private static final double UPPER_Z = 1.28;

  private DemandRule() {}

  /**
   * The target.
   *
   * @param ceiling warm_max after the budget; may lie below warm_min, because money is a hard limit
   */
  public static Target target(
      Demand demand, BootFigures boot, Bounds bounds, int ceiling, Policy.Sizing sizing) {
    if (isSpike(demand, sizing)) {
      String why =
          "%d waiting, queue p95 %d ms: all the way up to %d"
              .formatted(demand.queueDepth(), demand.queueP95().toMillis(), ceiling);
      return new Target(ceiling, ceiling, ceiling, true, why);
    }
    double rate = upperRate(demand, sizing);
    Duration lead = BootTimes.leadTime(boot, sizing);
    int stock = baseStock(rate * seconds(lead), sizing.missTarget(), ceiling);
    int fresh = clamp(stock + demand.spilledIn(), bounds.warmMin(), ceiling);
    int warm = clamp(Math.max(fresh, demand.heldTarget()), bounds.warmMin(), ceiling);
    return new Target(warm, fresh, ceiling, false, why(rate, lead, fresh, warm));
  }

  public static boolean isSpike(Demand demand, Policy.Sizing sizing) {
    return demand.queueDepth() > sizing.spikeDepth()
        || demand.queueP95().compareTo(sizing.spikeQueueP95()) > 0;
  }

  /** Arrivals per second, at the high end of what the evidence allows. */
  public static double upperRate(Demand demand, Policy.Sizing sizing) {
    double fast = upper(demand.fastArrivals()) / seconds(sizing.fastWindow());
    double slow = upper(demand.slowArrivals()) / seconds(sizing.slowWindow());
    return Math.max(Math.max(fast, slow), demand.hintedPerSecond());
  }

  /**
   * The smallest w with P(Poisson(mean) ≥ w) ≤ miss, no more than most. Summed in logarithms: the
   * first terms of a large mean are far below the smallest double.
   */
  public static int baseStock(double mean, double miss, int most) {
    if (mean <= 0) return 0;
    if (mean >= most) return most;
    double logTerm = -mean;
    double below = 0;
    for (int w = 0; w < most; w++) {
      if (1 - below <= miss) return w;
      below += Math.exp(logTerm);
      logTerm += Math.log(mean) - Math.log(w + 1.0);
    }
    return most;
  }

  private static double upper(long count) {
    return (double) count + UPPER_Z * Math.sqrt((double) count);
  }

  private static double seconds(Duration duration) {
    return (double) duration.toMillis() / 1000;
  }

  private static int clamp(int value, int least, int most) {
    return Math.min(Math.max(value, least), most);
  }

  private static String why(double rate, Duration lead, int fresh, int warm) {
    String evidence =
        rate > 0
            ? "up to " + hundredths(rate) + "/s over " + lead.toSeconds() + " s of boot"
            : "no arrivals seen";
    String held = warm > fresh ? ", held from " + fresh : "";
    return evidence + ": " + warm + " warm" + held;
  }

  /** Written with every pass; a format would cost more than the rule itself. */
  private static String hundredths(double value) {
    long rounded = Math.round(value * 100);
    return rounded / 100 + (rounded % 100 < 10 ? ".0" : ".") + rounded % 100;
  }
}
