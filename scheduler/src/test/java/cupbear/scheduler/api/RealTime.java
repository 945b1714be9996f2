// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.Ids;
import cupbear.scheduler.port.Time;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Clocks, timers and names of a running process. */
record RealTime(Vertx vertx) implements Time, Ids {
  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Timer after(Duration delay, Runnable then) {
    long id = vertx.setTimer(Math.max(1, delay.toMillis()), any -> then.run());
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public SessionId session(PoolName pool) {
    return SessionId.of(pool, UUID.randomUUID().toString().replace("-", "").substring(0, 26));
  }

  @Override
  public String mark() {
    return UUID.randomUUID().toString();
  }

  @Override
  public double luck() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
