// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is going to happen in a world, in order of time, then of being written down. The
 * one thread that runs a world takes one event after the other; nothing else moves its clock.
 */
final class Agenda {
  /** When every simulated story begins. */
  static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");

  private final PriorityQueue<Event> events = new PriorityQueue<>(4096);

  /** Written down for this very moment: they come after all that was written for it before. */
  private final Deque<Event> atOnce = new ArrayDeque<>();

  private long nanos;
  private long written;
  private long ran;

  /** True time since the beginning. No process sees it but through its own clock. */
  long nanos() {
    return nanos;
  }

  Instant now() {
    return BEGIN.plusNanos(nanos);
  }

  /** How many events there have been. */
  long ran() {
    return ran;
  }

  Event after(Duration delay, Runnable then) {
    return at(nanos + Math.max(0, delay.toNanos()), then);
  }

  Event at(long when, Runnable then) {
    Event event = new Event(Math.max(when, nanos), written++, then);
    if (event.at == nanos) atOnce.add(event);
    else events.add(event);
    return event;
  }

  /** Runs the next event unless it lies after the given moment; false when there is none. */
  boolean step(long until) {
    while (true) {
      Event next = take(until);
      if (next == null) {
        nanos = Math.max(nanos, until);
        return false;
      }
      if (next.cancelled) continue;
      nanos = next.at;
      ran++;
      next.then.run();
      return true;
    }
  }

  private @Nullable Event take(long until) {
    Event first = events.peek();
    boolean now = first != null && first.at == nanos;
    if (!now && !atOnce.isEmpty()) return atOnce.poll();
    if (first == null || first.at > until) return null;
    return events.poll();
  }

  /** One thing to come. */
  static final class Event implements Comparable<Event> {
    private final long at;
    private final long order;
    private final Runnable then;
    private boolean cancelled;

    private Event(long at, long order, Runnable then) {
      this.at = at;
      this.order = order;
      this.then = then;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }
}
