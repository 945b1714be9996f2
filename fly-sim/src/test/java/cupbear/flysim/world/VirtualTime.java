// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes only when told to. */
final class VirtualTime implements Timers {
  private record Due(Instant at, long order, Runnable step) {}

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now = Instant.parse("2026-09-01T10:00:00Z");
  private long orders;

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    Due due = new Due(now.plus(delay.isNegative() ? Duration.ZERO : delay), orders++, step);
    queue.add(due);
    return () -> queue.remove(due);
  }

  @Override
  public void enter(Runnable step) {
    step.run();
  }

  /** Runs everything that falls due meanwhile, in order. */
  void pass(Duration duration) {
    Instant until = now.plus(duration);
    while (!queue.isEmpty() && !queue.peek().at.isAfter(until)) {
      Due due = queue.remove();
      now = due.at;
      due.step.run();
    }
    now = until;
  }

  /** Lets time jump to whatever falls due next; false when nothing ever will. */
  boolean next() {
    if (queue.isEmpty()) {
      return false;
    }
    pass(Duration.between(now, queue.peek().at));
    return true;
  }
}
