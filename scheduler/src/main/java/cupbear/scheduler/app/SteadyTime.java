// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Time;
import java.time.Instant;

/** The wall clock as it was at start, carried on by the monotonic one: it never jumps. */
final class SteadyTime {
  private final Time time;
  private final Instant began;
  private final long beganNanos;

  SteadyTime(Time time) {
    this.time = time;
    this.began = time.now();
    this.beganNanos = time.nanos();
  }

  Instant now() {
    return began.plusNanos(time.nanos() - beganNanos);
  }
}
