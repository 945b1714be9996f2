// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts of session requests over the last minutes, in slots of a few seconds: the evidence for the
 * arrival rate. Its loop is the only writer; a new leader starts empty, and without evidence the
 * target is warm_min.
 */
public final class Arrivals {
  /** Fine enough for a one-minute window, coarse enough that a flood costs nothing. */
  private static final Duration SLOT = Duration.ofSeconds(5);

  private final Duration kept;
  private final NavigableMap<Long, Long> slots;

  private Arrivals(Duration kept, NavigableMap<Long, Long> slots) {
    this.kept = kept;
    this.slots = slots;
  }

  /**
   * An empty window.
   *
   * @param kept the longest window that will be asked for
   */
  public static Arrivals none(Duration kept) {
    return new Arrivals(kept, new TreeMap<>());
  }

  public Arrivals plus(long count, Instant now) {
    NavigableMap<Long, Long> next = new TreeMap<>(slots.tailMap(slot(now.minus(kept)), true));
    next.merge(slot(now), count, Long::sum);
    return new Arrivals(kept, next);
  }

  public long within(Duration window, Instant now) {
    long first = slot(now.minus(window));
    long sum = 0;
    for (long count : slots.subMap(first, false, slot(now), true).values()) sum += count;
    return sum;
  }

  private static long slot(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), SLOT.toSeconds());
  }
}
