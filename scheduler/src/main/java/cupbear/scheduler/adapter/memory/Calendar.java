// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Moments by which something is due: a sorted set scored by time. */
final class Calendar<T extends Comparable<T>> {
  private record Day<T extends Comparable<T>>(Instant at, T what) implements Comparable<Day<T>> {
    @Override
    public int compareTo(Day<T> other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : what.compareTo(other.what);
    }
  }

  private final Map<T, Instant> moments = new TreeMap<>();
  private final TreeSet<Day<T>> days = new TreeSet<>();

  Calendar<T> copy() {
    Calendar<T> copy = new Calendar<>();
    copy.moments.putAll(moments);
    copy.days.addAll(days);
    return copy;
  }

  void put(T what, Instant at) {
    remove(what);
    moments.put(what, at);
    days.add(new Day<>(at, what));
  }

  void remove(T what) {
    Instant old = moments.remove(what);
    if (old != null) days.remove(new Day<>(old, what));
  }

  /** The first that is due by now. */
  Optional<T> firstDue(Instant now) {
    return days.isEmpty() || days.first().at().isAfter(now)
        ? Optional.empty()
        : Optional.of(days.first().what());
  }

  Optional<T> popDue(Instant now) {
    Optional<T> first = firstDue(now);
    first.ifPresent(this::remove);
    return first;
  }

  /** All that are not before this moment. */
  SortedSet<T> since(Instant from) {
    SortedSet<T> found = new TreeSet<>();
    for (Day<T> day : days) if (!day.at().isBefore(from)) found.add(day.what());
    return found;
  }

  boolean contains(T what) {
    return moments.containsKey(what);
  }
}
