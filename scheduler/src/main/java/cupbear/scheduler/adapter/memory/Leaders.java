// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who leads which region. In Redis: {@code leader:<region>}, a string of replica and epoch with a
 * time to live; one that has run out is as if it had never been.
 */
final class Leaders {
  record Leader(ReplicaId replica, Epoch epoch, Instant until) {}

  private final Map<Region, Leader> leaders = new TreeMap<>();

  Leaders copy() {
    Leaders copy = new Leaders();
    copy.leaders.putAll(leaders);
    return copy;
  }

  Optional<Leader> of(Region region, Instant now) {
    Leader leader = leaders.get(region);
    return leader == null || !leader.until().isAfter(now) ? Optional.empty() : Optional.of(leader);
  }

  /** The regions that somebody leads. */
  Set<Region> led(Instant now) {
    Set<Region> led = new TreeSet<>(leaders.keySet());
    led.removeIf(region -> of(region, now).isEmpty());
    return led;
  }

  boolean holds(Mandate mandate, Instant now) {
    return of(mandate.region(), now)
        .filter(leader -> leader.epoch().equals(mandate.epoch()))
        .isPresent();
  }

  void set(Region region, Leader leader) {
    leaders.put(region, leader);
  }

  void remove(Region region) {
    leaders.remove(region);
  }

  void removeAll() {
    leaders.clear();
  }
}
