// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import cupbear.load.viewer.Viewing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Viewers who come, see the desktop and leave, one after another on each of several seats. A seat
 * that is refused asks again; the ledger has all that must not happen.
 */
final class Traffic {
  private final Rig rig;
  private final String pool;
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final List<Thread> seats = new ArrayList<>();
  private volatile boolean ended;

  private Traffic(Rig rig, String pool) {
    this.rig = rig;
    this.pool = pool;
  }

  static Traffic start(Rig rig, String pool, int seats) {
    Traffic traffic = new Traffic(rig, pool);
    for (int i = 0; i < seats; i++) {
      traffic.seats.add(Thread.ofVirtual().name("viewer-" + i).start(traffic::comeAndGo));
    }
    return traffic;
  }

  int served() {
    return served.get();
  }

  @Override
  public String toString() {
    return "%d viewers served, %d refused".formatted(served.get(), refusals.get());
  }

  private void comeAndGo() {
    while (!ended) {
      try {
        Viewing viewing = rig.look(pool);
        served.incrementAndGet();
        rig.leave(viewing);
      } catch (AssertionError refused) {
        // No capacity, or nobody who answers: that is no harm, and the next one asks again.
        refusals.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Returns when the last viewer has left. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread each : seats) each.join();
  }
}
