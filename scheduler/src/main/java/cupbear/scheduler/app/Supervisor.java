// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Starts and stops loops as leadership comes and goes. */
public final class Supervisor {
  /** Gives each regional pool the one thread its loop runs on. */
  public interface Threads {
    /** For the supervisor itself. */
    Executor home();

    Executor loop(PoolName pool, Region region);
  }

  public Supervisor(
      ReplicaId self,
      Pools pools,
      Ports ports,
      Threads threads,
      GrantMemory memory,
      RegionBoard board) {
    throw new UnsupportedOperationException();
  }

  public void start() {
    throw new UnsupportedOperationException();
  }

  /** What is declared changed: {@link Pools} holds the new word already. */
  public void declared() {
    throw new UnsupportedOperationException();
  }

  /** An external signal announces demand. */
  public void hint(PoolName pool, Region region, double perSecond, Duration holds) {
    throw new UnsupportedOperationException();
  }

  /** Hands over leadership and finishes what is under way. */
  public Future<Void> drain(Duration most) {
    throw new UnsupportedOperationException();
  }

  /** Stops everything at once and tells nobody: what a killed process does. */
  public void kill() {
    throw new UnsupportedOperationException();
  }
}
