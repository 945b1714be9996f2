// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What waits to be heard by one loop. Any thread may put; the executor it was given takes out, one
 * event after another. Beats and observations are worth only their newest; everything else is kept
 * in order. When it is full the newcomer is dropped, and the loop is told how many were, so that it
 * looks at the world again instead of trusting what it heard.
 */
public final class Inbox {
  /** A few seconds of probes, outcomes and journal entries of the largest regional pool. */
  public static final int LIMIT = 1024;

  /** Then others on the same thread have their turn. */
  private static final int AT_ONCE = 64;

  private final int limit;
  private final Executor thread;
  private final Consumer<Event> reader;
  private final Deque<Event> waiting = new ArrayDeque<>();
  private boolean scheduled;
  private boolean closed;
  private int dropped;

  public Inbox(int limit, Executor thread, Consumer<Event> reader) {
    this.limit = limit;
    this.thread = thread;
    this.reader = reader;
  }

  public void put(Event event) {
    synchronized (waiting) {
      if (closed) return;
      if (isWorthOnlyItsNewest(event))
        waiting.removeIf(each -> each.getClass() == event.getClass());
      if (waiting.size() < limit) waiting.addLast(event);
      else dropped++;
      if (scheduled) return;
      scheduled = true;
    }
    thread.execute(this::drain);
  }

  /** Nothing more is read, not even what waits already. */
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.clear();
    }
  }

  public int size() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  private void drain() {
    for (int read = 0; read < AT_ONCE; read++) {
      Event next = take();
      if (next == null) return;
      reader.accept(next);
    }
    thread.execute(this::drain);
  }

  private @org.jspecify.annotations.Nullable Event take() {
    synchronized (waiting) {
      if (dropped > 0 && !closed) {
        Event overflow = new Event.Overflowed(dropped);
        dropped = 0;
        return overflow;
      }
      Event next = waiting.pollFirst();
      if (next == null) scheduled = false;
      return next;
    }
  }

  private static boolean isWorthOnlyItsNewest(Event event) {
    return event instanceof Event.Beat || event instanceof Event.Seen;
  }
}
