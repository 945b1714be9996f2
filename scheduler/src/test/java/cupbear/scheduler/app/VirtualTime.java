// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/** Time that moves when a test says so; whatever falls due on the way is done in order. */
final class VirtualTime implements Time {
  private static final class Pending implements Timer, Comparable<Pending> {
    final long at;
    final long number;
    final Runnable then;
    boolean cancelled;

    Pending(long at, long number, Runnable then) {
      this.at = at;
      this.number = number;
      this.then = then;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Pending other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  private final Instant began = Instant.parse("2026-03-01T08:00:00Z");
  private final PriorityQueue<Pending> pending = new PriorityQueue<>();
  private Duration wallJump = Duration.ZERO;
  private long nanos;
  private long number;

  @Override
  public Instant now() {
    return began.plusNanos(nanos).plus(wallJump);
  }

  /** The store's clock, which does not jump. */
  Instant storeNow() {
    return began.plusNanos(nanos);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Timer after(Duration delay, Runnable then) {
    Pending timer = new Pending(nanos + delay.toNanos(), number++, then);
    pending.add(timer);
    return timer;
  }

  /** Lets time go by. */
  void pass(Duration length) {
    long until = nanos + length.toNanos();
    while (!pending.isEmpty() && pending.peek().at <= until) {
      Pending next = pending.poll();
      if (next.cancelled) continue;
      nanos = Math.max(nanos, next.at);
      next.then.run();
    }
    nanos = until;
  }

  /** The process stands still: time passes, and what fell due meanwhile is late. */
  void freeze(Duration length) {
    nanos += length.toNanos();
  }

  void jump(Duration by) {
    wallJump = wallJump.plus(by);
  }
}
