// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Time;
import java.time.Duration;

/** How long a request has been under way, and what is left of its caller's time. */
record Stopwatch(Time time, long beganNanos, Duration patience) {
  static Stopwatch start(Time time, Duration patience) {
    return new Stopwatch(time, time.nanos(), patience);
  }

  Duration elapsed() {
    return Duration.ofNanos(time.nanos() - beganNanos);
  }

  Duration left() {
    Duration rest = patience.minus(elapsed());
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /** What is left, but within these. */
  Duration left(Duration least, Duration most) {
    Duration rest = left();
    if (rest.compareTo(least) < 0) return least;
    return rest.compareTo(most) > 0 ? most : rest;
  }
}
