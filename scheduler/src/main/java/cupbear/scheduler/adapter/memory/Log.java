// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The journal of a pool: the capped stream {@code journal}, with a stream's own ids. */
final class Log {
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long lastMillis;
  private long lastNumber;

  Log copy() {
    Log copy = new Log();
    copy.entries.addAll(entries);
    copy.lastMillis = lastMillis;
    copy.lastNumber = lastNumber;
    return copy;
  }

  Entry append(Entry entry, Instant now, int most) {
    Entry written =
        new Entry(
            nextId(now),
            entry.at(),
            entry.kind(),
            entry.pool(),
            entry.region(),
            entry.machine(),
            entry.session(),
            entry.epoch(),
            entry.why(),
            entry.data());
    entries.addLast(written);
    while (entries.size() > most) entries.removeFirst();
    return written;
  }

  /** Milliseconds and a number; grows even when the clock does not. */
  private String nextId(Instant now) {
    long millis = now.toEpochMilli();
    lastNumber = millis > lastMillis ? 0 : lastNumber + 1;
    lastMillis = Math.max(lastMillis, millis);
    return lastMillis + "-" + lastNumber;
  }

  List<Entry> after(String id, int most) {
    return entries.stream().filter(entry -> isAfter(entry.id(), id)).limit(most).toList();
  }

  private static boolean isAfter(String id, String other) {
    if (other.isEmpty()) return true;
    int byMillis = Long.compare(part(id, 0), part(other, 0));
    return byMillis != 0 ? byMillis > 0 : part(id, 1) > part(other, 1);
  }

  private static long part(String id, int which) {
    int seam = id.indexOf('-');
    if (seam < 0) throw new IllegalArgumentException("'" + id + "' is no journal id, such as 17-0");
    return Long.parseLong(which == 0 ? id.substring(0, seam) : id.substring(seam + 1));
  }
}
