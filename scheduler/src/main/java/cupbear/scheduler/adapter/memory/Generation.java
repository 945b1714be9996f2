// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.StoreState;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * One life of a pool's data, from one loss to the next. Its number is the epoch it began with, so
 * that a grant with a smaller epoch is known to be older. In Redis: the hash {@code generation}
 * (number, server, since, held, open) and the sets {@code generation:awaited}, {@code
 * generation:reported}, {@code generation:regions}.
 */
final class Generation {
  final long number;
  final String server;
  final Instant since;
  final Instant heldUntil;

  /** Nothing is granted yet. */
  boolean open = true;

  final Set<ReplicaId> awaited = new TreeSet<>();
  final Set<ReplicaId> reported = new TreeSet<>();
  final Set<Region> regions = new TreeSet<>();

  Generation(long number, String server, Instant since, Instant heldUntil) {
    this.number = number;
    this.server = server;
    this.since = since;
    this.heldUntil = heldUntil;
  }

  Generation copy() {
    Generation copy = new Generation(number, server, since, heldUntil);
    copy.open = open;
    copy.awaited.addAll(awaited);
    copy.reported.addAll(reported);
    copy.regions.addAll(regions);
    return copy;
  }

  /** Has everybody reported who may know of a grant, or need nobody wait any longer? */
  boolean isDone(Instant now) {
    boolean all = !reported.isEmpty() && reported.containsAll(awaited);
    return all || !now.isBefore(heldUntil);
  }

  /** Whether there is something left to be said: by a replica, or by the leader of a region. */
  StoreState state(Set<Region> led) {
    return open || !regions.containsAll(led)
        ? new StoreState.Recovering(number, since, heldUntil)
        : new StoreState.Ready(number);
  }
}
