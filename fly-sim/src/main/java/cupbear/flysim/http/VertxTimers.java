// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import cupbear.flysim.world.Timers;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Real time on one Vert.x context; {@link #after} must be called on it. */
public final class VertxTimers implements Timers {
  private final Vertx vertx;
  private final Context context;
  private final Clock clock;

  public VertxTimers(Vertx vertx, Context context, Clock clock) {
    this.vertx = vertx;
    this.context = context;
    this.clock = clock;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    // Rounded up: a step must not run before its time, nor can Vert.x wait less than this.
    long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
    long timer = vertx.setTimer(millis, fired -> step.run());
    return () -> vertx.cancelTimer(timer);
  }

  @Override
  public void enter(Runnable step) {
    context.runOnContext(ignored -> step.run());
  }
}
