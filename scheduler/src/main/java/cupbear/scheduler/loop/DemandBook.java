// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.Arrivals;
import cupbear.scheduler.core.QueueTimes;
import cupbear.scheduler.core.Recent;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The evidence of demand for one regional pool, as it comes in. */
final class DemandBook {
  private Arrivals arrivals;
  private Recent<Integer> targets;
  private @Nullable Long counted;
  private int waiting;
  private Duration queueP95 = Duration.ZERO;
  private int spilledIn;
  private double hinted;
  private Instant hintedUntil = Instant.MIN;

  DemandBook(Policy.Sizing sizing) {
    arrivals = Arrivals.none(sizing.slowWindow());
    targets = Recent.of(sizing.hold());
  }

  /** The store counts requests for ever; what is new since the last snapshot arrived now. */
  void take(Snapshot snapshot, Instant now) {
    long before = counted == null ? snapshot.arrivals() : counted;
    // A counter that fell back is a store that lost data: only the new count is evidence.
    long more = Math.max(0, snapshot.arrivals() - before);
    counted = snapshot.arrivals();
    if (more > 0) arrivals = arrivals.plus(more, now);
    waiting = snapshot.waiting();
    queueP95 = QueueTimes.p95(snapshot.waits(), snapshot.at());
  }

  void spilled(int machines) {
    spilledIn = Math.max(0, machines);
  }

  void hinted(double perSecond, Instant until) {
    hinted = perSecond;
    hintedUntil = until;
  }

  /** The hold window remembers what was wanted, not what it made of it. */
  void wanted(int fresh, Instant now) {
    targets = targets.with(fresh, now);
  }

  /** Other settings may mean other windows; what was counted stays. */
  void resize(Policy.Sizing sizing) {
    targets = new Recent<>(sizing.hold(), targets.entries());
  }

  int waiting() {
    return waiting;
  }

  Demand demand(Policy.Sizing sizing, Instant now) {
    return new Demand(
        arrivals.within(sizing.fastWindow(), now),
        arrivals.within(sizing.slowWindow(), now),
        hintedUntil.isAfter(now) ? hinted : 0,
        spilledIn,
        waiting,
        queueP95,
        targets.largest(0, now));
  }
}
