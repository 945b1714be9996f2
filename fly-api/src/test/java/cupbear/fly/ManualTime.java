// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Time that passes only when a test says so; due timers run in order, on the test's thread. */
final class ManualTime implements FlyTime {

  private record Due(long at, long order, Runnable task) {}

  private final PriorityQueue<Due> timers =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
  private long now = 1_000_000_000L;
  private long order;

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Timer after(Duration delay, Runnable task) {
    Due due = new Due(now + delay.toNanos(), order++, task);
    timers.add(due);
    return () -> {
      synchronized (this) {
        timers.remove(due);
      }
    };
  }

  void advance(Duration by) {
    long until;
    synchronized (this) {
      until = now + by.toNanos();
    }
    for (Optional<Runnable> next = takeUntil(until); next.isPresent(); next = takeUntil(until)) {
      next.get().run();
    }
    synchronized (this) {
      now = until;
    }
  }

  /** Jumps to the next timer and runs it; false when there is none. */
  boolean jump() {
    Optional<Runnable> next = takeUntil(Long.MAX_VALUE);
    next.ifPresent(Runnable::run);
    return next.isPresent();
  }

  private synchronized Optional<Runnable> takeUntil(long until) {
    Due next = timers.peek();
    if (next == null || next.at() > until) {
      return Optional.empty();
    }
    timers.poll();
    now = Math.max(now, next.at());
    return Optional.of(next.task());
  }
}
