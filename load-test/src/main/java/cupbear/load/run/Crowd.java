// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.stack.StackPlan.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Where users come from and how long they stay; makes schedules of their arrivals. An open model:
 * who comes when is settled before anybody is asked, so a slow system meets as many users as a fast
 * one. The same seed gives the same users.
 */
final class Crowd {
  /** Most users leave soon, some stay ten times as long: log-normal with this sigma. */
  private static final double SIGMA = 1.0;

  private static final double LONGEST = 10;
  private static final int TENANTS = 5;

  private final Random dice;
  private final List<Bounds> regions;
  private final Duration meanStay;
  private final Duration patience;
  private final List<Arrival> all = new ArrayList<>();
  private double staying = 1;

  /**
   * @param regions weighted by their warm_min; empty for users without preference
   * @param patience how long a user queues
   */
  Crowd(long seed, List<Bounds> regions, Duration meanStay, Duration patience) {
    this.dice = new Random(seed);
    this.regions = List.copyOf(regions);
    this.meanStay = meanStay;
    this.patience = patience;
  }

  /** Whoever is added from now on stays for this share of the usual time. */
  Crowd staying(double share) {
    staying = share;
    return this;
  }

  /** One after another, at random moments (a Poisson process). */
  Crowd stream(Duration from, Duration until, double perSecond) {
    double at = seconds(from) + gap(perSecond);
    while (at < seconds(until)) {
      add(at, tenant(dice.nextInt(TENANTS)));
      at += gap(perSecond);
    }
    return this;
  }

  /** All at one instant. */
  Crowd burst(Duration at, int users, String tenant) {
    for (int i = 0; i < users; i++) add(seconds(at), tenant);
    return this;
  }

  Crowd burst(Duration at, int users) {
    for (int i = 0; i < users; i++) add(seconds(at), tenant(i % TENANTS));
    return this;
  }

  List<Arrival> schedule() {
    return all.stream().sorted().toList();
  }

  private void add(double at, String tenant) {
    all.add(new Arrival(all.size(), duration(at), region(), tenant, stay(), patience));
  }

  private static String tenant(int number) {
    return "tenant-" + (number + 1);
  }

  private double gap(double perSecond) {
    return -Math.log(1 - dice.nextDouble()) / perSecond;
  }

  private Duration stay() {
    // Shifted so that the mean is the one asked for, whatever sigma is.
    double factor = Math.exp(SIGMA * dice.nextGaussian() - SIGMA * SIGMA / 2);
    return duration(seconds(meanStay) * staying * Math.min(factor, LONGEST));
  }

  private @Nullable String region() {
    int total = regions.stream().mapToInt(Bounds::warmMin).sum();
    if (total == 0) return null;
    int pick = dice.nextInt(total);
    for (Bounds each : regions) {
      pick -= each.warmMin();
      if (pick < 0) return each.region();
    }
    throw new IllegalStateException("weights do not add up");
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
