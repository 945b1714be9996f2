// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest of the values noted within a sliding window: targets, for the slow way down. An
 * immutable value; a clock that jumps back only makes it forget later.
 *
 * <p>A value that is followed by one at least as large will never be the largest again and is
 * forgotten at once. So the entries fall from the oldest to the newest, there are no more of them
 * than there are different values, and a storm cannot fill the memory.
 */
public record Recent<T extends Comparable<? super T>>(Duration window, List<Entry<T>> entries) {
  /** A value and when it was noted. */
  public record Entry<T>(T value, Instant at) {}

  public Recent {
    entries = List.copyOf(entries);
  }

  public static <T extends Comparable<? super T>> Recent<T> of(Duration window) {
    return new Recent<>(window, List.of());
  }

  public Recent<T> with(T value, Instant now) {
    Instant oldest = now.minus(window);
    List<Entry<T>> next = new ArrayList<>(entries.size() + 1);
    for (Entry<T> entry : entries) {
      if (entry.at().isAfter(oldest) && entry.value().compareTo(value) > 0) next.add(entry);
    }
    next.add(new Entry<>(value, now));
    return new Recent<>(window, next);
  }

  public T largest(T otherwise, Instant now) {
    Instant oldest = now.minus(window);
    for (Entry<T> entry : entries) if (entry.at().isAfter(oldest)) return entry.value();
    return otherwise;
  }
}
