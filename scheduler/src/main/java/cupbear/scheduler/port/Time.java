// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import java.time.Duration;
import java.time.Instant;

/** This process's clocks and timers; a simulation has its own. */
public interface Time {
  /** Wall clock: for stamps that others read. May jump. */
  Instant now();

  /** Monotonic nanoseconds: for measuring and for deadlines. */
  long nanos();

  /** Runs once, on the thread of whoever asked, unless cancelled before. */
  Timer after(Duration delay, Runnable then);

  /** A pending timer. */
  interface Timer {
    void cancel();
  }
}
