// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Vertx;
import java.time.Duration;

/** The clock and the timers, so that a test can turn them by hand. */
interface Time {
  /** Time since some fixed moment; never goes back. */
  Duration now();

  /** Runs the task once, after the delay, unless it is called off. */
  Alarm after(Duration delay, Runnable task);

  /** A timer that can be called off. */
  interface Alarm {
    void callOff();
  }

  /** Vert.x timers and the monotonic clock of the JVM. */
  static Time of(Vertx vertx) {
    return new Time() {
      @Override
      public Duration now() {
        return Duration.ofNanos(System.nanoTime());
      }

      @Override
      public Alarm after(Duration delay, Runnable task) {
        // Vert.x takes whole milliseconds and no zero.
        long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> task.run());
        return () -> vertx.cancelTimer(id);
      }
    };
  }
}
