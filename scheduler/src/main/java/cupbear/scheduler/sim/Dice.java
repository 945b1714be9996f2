// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import java.util.List;

/**
 * Chance by seed: SplitMix64, written out here so that a seed tells the same story on every machine
 * and in every version of Java. One of these per concern, so that a change in how often one of them
 * is asked does not reshuffle the others.
 */
final class Dice {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  private Dice(long state) {
    this.state = state;
  }

  static Dice of(long seed, String concern) {
    long mixed = mix(seed * GOLDEN + 1);
    for (int i = 0; i < concern.length(); i++) mixed = mix(mixed ^ (concern.charAt(i) * GOLDEN));
    return new Dice(mixed);
  }

  long bits() {
    state += GOLDEN;
    return mix(state);
  }

  /** A number in [0, 1). */
  double unit() {
    return (bits() >>> 11) * UNIT;
  }

  /** A number in [0, bound). */
  int below(int bound) {
    return (int) (unit() * bound);
  }

  boolean chance(double share) {
    return share > 0 && unit() < share;
  }

  /** Evenly between the two. */
  Duration between(Duration least, Duration most) {
    long span = most.toNanos() - least.toNanos();
    return Duration.ofNanos(least.toNanos() + (long) (unit() * span));
  }

  Duration millis(long least, long most) {
    return between(Duration.ofMillis(least), Duration.ofMillis(most));
  }

  Duration seconds(long least, long most) {
    return between(Duration.ofSeconds(least), Duration.ofSeconds(most));
  }

  /** Mostly near the mean, now and then far beyond it; the way arrivals and sessions are. */
  Duration exponential(Duration mean) {
    double factor = Math.min(6, -StrictMath.log(1 - unit()));
    return Duration.ofNanos((long) (mean.toNanos() * factor));
  }

  <T> T pick(List<T> from) {
    return from.get(below(from.size()));
  }

  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
