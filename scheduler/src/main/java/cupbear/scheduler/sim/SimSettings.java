// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import java.util.Locale;

/** What one run is made from: the same settings give the same run, event for event. */
public record SimSettings(
    long seed, Duration length, FaultLevel faults, int schedulers, Demand demand) {
  private static final Duration SHORTEST = Duration.ofMinutes(30);

  public SimSettings {
    if (schedulers < 1 || schedulers > 9) {
      throw new IllegalArgumentException(schedulers + " schedulers; give 1 to 9");
    }
    if (length.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "a run of %s; half an hour is needed to break things and to heal".formatted(length));
    }
  }

  /** How much goes wrong. */
  public enum FaultLevel {
    NONE,
    MILD,
    WILD;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Faults end here; from now on everything has to come right by itself. */
  Duration healAt() {
    return length.minus(Duration.ofMinutes(20));
  }

  /** No new requests from here on. */
  Duration closeAt() {
    return length.minus(Duration.ofMinutes(14));
  }

  /** Whoever still is in a session leaves by then. */
  Duration leaveAt() {
    return length.minus(Duration.ofMinutes(12));
  }

  String replay() {
    return String.format(
        Locale.ROOT,
        "cupbear simulate --replay %d --hours %s --faults %s --schedulers %d --demand %s",
        seed,
        hours(),
        faults.word(),
        schedulers,
        demand.word());
  }

  private String hours() {
    double hours = length.toMinutes() / 60.0;
    return hours == Math.rint(hours)
        ? Long.toString(Math.round(hours))
        : String.format(Locale.ROOT, "%.2f", hours);
  }
}
