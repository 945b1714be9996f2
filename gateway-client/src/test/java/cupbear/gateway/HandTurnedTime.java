// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that stands still until a test moves it; nothing sleeps. */
final class HandTurnedTime implements Time {
  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  private volatile Duration now = Duration.ofHours(1);

  private record Entry(Duration at, Duration delay, Runnable task) {
    /** How long a request may take; every other alarm is a pause or a renewal. */
    boolean limitsAnAttempt() {
      return delay.equals(Call.SHORT_PATIENCE)
          || delay.equals(SessionRequest.DEFAULT_WAIT.plus(Call.SHORT_PATIENCE));
    }
  }

  @Override
  public Duration now() {
    return now;
  }

  @Override
  public Alarm after(Duration delay, Runnable task) {
    Entry entry = new Entry(now.plus(delay), delay, task);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  /** Moves on and rings what is due, in order. */
  synchronized void advance(Duration by) {
    Duration until = now.plus(by);
    while (true) {
      Optional<Entry> due =
          entries.stream()
              .filter(entry -> entry.at().compareTo(until) <= 0)
              .min(Comparator.comparing(Entry::at));
      if (due.isEmpty()) break;
      ring(due.get());
    }
    now = until;
  }

  /** Waits until an alarm is set, then moves on to the first one; says how far that was. */
  synchronized Duration advanceToNext() {
    await().until(() -> !entries.isEmpty());
    Entry next = entries.stream().min(Comparator.comparing(Entry::at)).orElseThrow();
    Duration by = next.at().minus(now);
    ring(next);
    return by;
  }

  /** Waits until no request is under way and the one alarm left is a pause or a renewal. */
  void awaitPause() {
    await()
        .until(() -> {
          List<Entry> set = List.copyOf(entries);
          return set.size() == 1 && !set.getFirst().limitsAnAttempt();
        });
  }

  int alarms() {
    return entries.size();
  }

  private void ring(Entry entry) {
    if (entries.remove(entry)) {
      now = entry.at();
      entry.task().run();
    }
  }
}
