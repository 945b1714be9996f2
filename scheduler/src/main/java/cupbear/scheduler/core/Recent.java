// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values noted within a sliding window: queue times for the spike rule, targets for the slow
 * way down. An immutable value; a clock that jumps back only makes it forget later.
 *
 * @param limit the newest this many are kept, so that a storm cannot fill the memory
 */
public record Recent<T extends Comparable<? super T>>(
    Duration window, int limit, List<Entry<T>> entries) {
  /** A value and when it was noted. */
  public record Entry<T>(T value, Instant at) {}

  public Recent {
    if (limit < 1) throw new IllegalArgumentException("limit is " + limit + "; at least 1");
    entries = List.copyOf(entries);
  }

  public static <T extends Comparable<? super T>> Recent<T> of(Duration window, int limit) {
    return new Recent<>(window, limit, List.of());
  }

  public Recent<T> with(T value, Instant now) {
    List<Entry<T>> all = Stream.concat(live(now), Stream.of(new Entry<>(value, now))).toList();
    return new Recent<>(window, limit, all.subList(Math.max(0, all.size() - limit), all.size()));
  }

  public List<T> sorted(Instant now) {
    return live(now).map(Entry::value).sorted().toList();
  }

  public T largest(T otherwise, Instant now) {
    return live(now).map(Entry::value).max(Comparator.naturalOrder()).orElse(otherwise);
  }

  private Stream<Entry<T>> live(Instant now) {
    Instant oldest = now.minus(window);
    return entries.stream().filter(entry -> entry.at().isAfter(oldest));
  }
}
