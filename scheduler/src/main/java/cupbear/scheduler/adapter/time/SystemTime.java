// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.time;

import cupbear.scheduler.port.Time;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;

/** This computer's clocks, with Vert.x timers. Any thread. */
public record SystemTime(Vertx vertx) implements Time {
  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  /** A timer never fires early: Vert.x counts whole milliseconds, so they are rounded up. */
  @Override
  public Timer after(Duration delay, Runnable then) {
    long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
    long id = vertx.setTimer(millis, any -> then.run());
    return () -> vertx.cancelTimer(id);
  }
}
