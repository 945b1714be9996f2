// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Vertx;
import java.time.Duration;

/** Time as the client sees it: one monotonic clock and timers, so that tests can hold both. */
public interface FlyTime {

  /** A clock that only runs forward; the zero means nothing. */
  long nanos();

  /** Runs the task once, on any thread, unless cancelled before. */
  Timer after(Duration delay, Runnable task);

  /** A task that is still to come. */
  interface Timer {
    void cancel();
  }

  static FlyTime of(Vertx vertx) {
    return new FlyTime() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public Timer after(Duration delay, Runnable task) {
        // Rounded up: a timer that comes early would find its token not there yet.
        long id = vertx.setTimer(Math.max(1, delay.plusNanos(999_999).toMillis()), t -> task.run());
        return () -> vertx.cancelTimer(id);
      }
    };
  }
}
