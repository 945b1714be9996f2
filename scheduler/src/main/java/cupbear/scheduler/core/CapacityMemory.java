// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which regions refused to create Machines, and until when they are left alone. An immutable value;
 * a new leader forgets it and learns it again with three creates.
 */
public record CapacityMemory(Map<Region, Capacity> regions) {
  /** Up to here a failure is bad luck; from here on the region counts as short. */
  public static final int FAILURES_SHORT = 3;

  private static final Duration BACK_OFF_FIRST = Duration.ofSeconds(1);
  private static final Duration BACK_OFF_LAST = Duration.ofSeconds(60);

  /** 2^6 s is already beyond the last step. */
  private static final int DOUBLINGS_MAX = 6;

  public static final CapacityMemory NONE = new CapacityMemory(Map.of());

  public CapacityMemory {
    regions = Collections.unmodifiableMap(new TreeMap<>(regions));
  }

  public Capacity of(Region region) {
    return regions.getOrDefault(region, Capacity.AMPLE);
  }

  public CapacityMemory created(Region region) {
    Map<Region, Capacity> next = new TreeMap<>(regions);
    next.remove(region);
    return new CapacityMemory(next);
  }

  /**
   * A create failed.
   *
   * @param luck a number in [0, 1) from the caller's source of chance: pools must not retry in step
   */
  public CapacityMemory failed(Region region, double luck, Instant now) {
    Map<Region, Capacity> next = new TreeMap<>(regions);
    next.put(region, afterFailure(of(region), luck, now));
    return new CapacityMemory(next);
  }

  public static boolean isShort(Capacity capacity) {
    return capacity.failures() >= FAILURES_SHORT;
  }

  public SortedSet<Region> shortRegions() {
    SortedSet<Region> found = new TreeSet<>();
    regions.forEach((region, capacity) -> {
      if (isShort(capacity)) found.add(region);
    });
    return found;
  }

  /** Half of each step is certain, half is chance. */
  private static Capacity afterFailure(Capacity before, double luck, Instant now) {
    int failures = Math.min(before.failures() + 1, FAILURES_SHORT + DOUBLINGS_MAX);
    if (failures < FAILURES_SHORT) return new Capacity(failures, null);
    Duration step = BACK_OFF_FIRST.multipliedBy(1L << (failures - FAILURES_SHORT));
    if (step.compareTo(BACK_OFF_LAST) > 0) step = BACK_OFF_LAST;
    long millis = step.toMillis();
    long wait = millis / 2 + (long) (luck * millis / 2);
    return new Capacity(failures, now.plusMillis(Math.max(wait, BACK_OFF_FIRST.toMillis())));
  }
}
