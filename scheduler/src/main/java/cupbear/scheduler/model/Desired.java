// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is declared for one regional pool.
 *
 * @param credentials one-time credentials are staged before a Machine turns warm
 * @param playbook there are teardown steps to run when a session ends
 * @param budget this region's share of the pool's budget; null for none
 * @param tags metadata that every Machine of this pool carries, but for the moving ones
 * @param drain Machines an operator wants out
 * @param cordoned Machines an operator keeps from being assigned
 */
public record Desired(
    Template template,
    Bounds bounds,
    boolean credentials,
    boolean playbook,
    AfterSession afterSession,
    @Nullable Budget budget,
    Map<String, String> tags,
    Set<MachineId> drain,
    Set<MachineId> cordoned) {
  public Desired {
    SortedMap<String, String> sorted = new TreeMap<>(tags);
    tags = Collections.unmodifiableSortedMap(sorted);
    drain = Set.copyOf(drain);
    cordoned = Set.copyOf(cordoned);
  }

  /** Bounds on unassigned, proven Machines, and on stopped ones kept for later. */
  public record Bounds(int warmMin, int warmMax, int parkedMax) {
    public Bounds {
      if (warmMin < 0) {
        throw new IllegalArgumentException("warm_min is " + warmMin + "; it must not be negative");
      }
      if (warmMax < warmMin) {
        throw new IllegalArgumentException(
            "warm_min (%d) exceeds warm_max (%d)".formatted(warmMin, warmMax));
      }
      if (parkedMax < 0) {
        throw new IllegalArgumentException("parked_max is " + parkedMax + "; at least 0");
      }
    }
  }

  /** What becomes of a Machine whose session ended. */
  public enum AfterSession {
    RECYCLE,
    DESTROY
  }

  /** Money per hour, both in the same currency. */
  public record Budget(double perHour, double machinePerHour) {
    public Budget {
      if (!(perHour >= 0) || !(machinePerHour > 0)) {
        throw new IllegalArgumentException(
            "budget is %s per hour at %s per Machine; give 0 or more, at a price above 0"
                .formatted(perHour, machinePerHour));
      }
    }

    /** How many Machines may run at once. */
    public int machines() {
      return (int) Math.min(Integer.MAX_VALUE, Math.floor(perHour / machinePerHour));
    }
  }
}
