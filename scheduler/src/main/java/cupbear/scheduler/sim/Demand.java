// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How many people want a session, over the length of a run. */
public enum Demand {
  /** A steady trickle. */
  STEADY,
  /** A day pressed into the run: quiet, busy, quiet. */
  DIURNAL,
  /** Nothing, and then a handful within seconds, again and again. */
  BURST,
  /** People who ask twice, hang up, ask again, and never come. */
  STORM,
  /** Ten times as many for some minutes. */
  FLASH;

  private static final double PER_SECOND = 0.035;
  private static final double BURST_EVERY = Duration.ofMinutes(6).toSeconds();

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Another one with each seed. */
  public static Demand of(long seed) {
    List<Demand> all = List.of(values());
    return all.get((int) Math.floorMod(seed, (long) all.size()));
  }

  /** Arrivals per second at this share of the run. */
  double rate(double share, double seconds) {
    return switch (this) {
      case STEADY -> PER_SECOND;
      case DIURNAL -> PER_SECOND * 2 * StrictMath.sin(Math.PI * Math.min(1, share));
      case BURST -> seconds % BURST_EVERY < 10 ? 1.0 : PER_SECOND / 10;
      case STORM -> PER_SECOND * 2.5;
      case FLASH -> share > 0.4 && share < 0.45 ? PER_SECOND * 10 : PER_SECOND;
    };
  }

  /** The most that {@link #rate} gives. */
  double peak() {
    return 1.0;
  }

  /** How much ruder than usual the callers are. */
  double rudeness() {
    return this == STORM ? 3 : 1;
  }
}
