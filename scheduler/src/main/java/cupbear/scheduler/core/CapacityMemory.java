// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which regions refused to create Machines, and until when they are left alone. An immutable value;
 * a new leader forgets it and learns it again with a few creates.
 */
public record CapacityMemory(Map<Region, Capacity> regions) {
  /** Far beyond the longest pause that anybody would wish for. */
  private static final int DOUBLINGS_MAX = 20;

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
  public CapacityMemory failed(Region region, double luck, Policy.Trust limits, Instant now) {
    Map<Region, Capacity> next = new TreeMap<>(regions);
    next.put(region, afterFailure(of(region), luck, limits, now));
    return new CapacityMemory(next);
  }

  /** Fewer failures are bad luck. */
  public static boolean isShort(Capacity capacity, Policy.Trust limits) {
    return capacity.failures() >= limits.createFailures();
  }

  /** Half of each step is certain, half is chance. */
  private static Capacity afterFailure(
      Capacity before, double luck, Policy.Trust limits, Instant now) {
    int enough = limits.createFailures();
    int failures = Math.min(before.failures() + 1, enough + DOUBLINGS_MAX);
    if (failures < enough) return new Capacity(failures, null);
    Duration first = limits.createBackoffMin();
    Duration step = first.multipliedBy(1L << (failures - enough));
    if (step.compareTo(limits.createBackoffMax()) > 0) step = limits.createBackoffMax();
    long millis = step.toMillis();
    long wait = millis / 2 + (long) (luck * millis / 2);
    return new Capacity(failures, now.plusMillis(Math.max(wait, first.toMillis())));
  }
}
