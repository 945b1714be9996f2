// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The replicas seen alive in one pool. The supervisor's thread. */
final class Peers {
  /** For a store that lost data: who may have given something away lately. */
  private static final Duration LATELY = Duration.ofMinutes(1);

  private final ReplicaId self;
  private final Time time;
  private final Map<ReplicaId, Long> seenNanos = new HashMap<>();
  private Set<ReplicaId> live = Set.of();

  Peers(ReplicaId self, Time time) {
    this.self = self;
    this.time = time;
  }

  void seen(Set<ReplicaId> alive) {
    live = Set.copyOf(alive);
    alive.forEach(each -> seenNanos.put(each, time.nanos()));
    long oldest = time.nanos() - LATELY.toNanos();
    seenNanos.values().removeIf(at -> at - oldest < 0);
  }

  /** Empty until the store has been asked once. */
  Set<ReplicaId> live() {
    return live;
  }

  Set<ReplicaId> lately() {
    Set<ReplicaId> all = new TreeSet<>(seenNanos.keySet());
    all.add(self);
    return all;
  }
}
