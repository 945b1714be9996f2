// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All that the store holds of one pool: what Redis keeps under {@code cb:{pool}:…}. Each part's
 * comment names its keys. Sorted throughout, so that the same steps give the same state.
 */
final class PoolState {
  final PoolName name;

  /** The hashes {@code machine:<id>}. */
  private final Map<MachineId, MachineRow> machines = new TreeMap<>();

  /** The sets {@code machines:<region>}. */
  private final Map<Region, Set<MachineId>> byRegion = new TreeMap<>();

  /** The sorted set {@code unknown}: Machines kept for a session nobody knows, by when found. */
  final Calendar<MachineId> unknown;

  /** The sorted set {@code replicas}, by when last heard of; and {@code replicas:left}. */
  final Calendar<ReplicaId> replicas;

  final Calendar<ReplicaId> left;

  final Shelf shelf;
  final Queue queue;
  final Sessions sessions;
  final Keys keys;
  final Marked marks;
  final Leaders leaders;
  final Figures figures;
  final Log log;

  /** The counter {@code epoch}. */
  long epoch;

  @Nullable Generation generation;

  /** The hash {@code watch}: when overdue sessions were last looked for, and a time of grace. */
  Instant watchedAt = Instant.EPOCH;

  Instant graceUntil = Instant.EPOCH;

  PoolState(PoolName name) {
    this.name = name;
    unknown = new Calendar<>();
    replicas = new Calendar<>();
    left = new Calendar<>();
    shelf = new Shelf();
    queue = new Queue();
    sessions = new Sessions();
    keys = new Keys();
    marks = new Marked();
    leaders = new Leaders();
    figures = new Figures();
    log = new Log();
  }

  private PoolState(PoolState other) {
    name = other.name;
    other.machines.values().forEach(row -> add(row.copy()));
    unknown = other.unknown.copy();
    replicas = other.replicas.copy();
    left = other.left.copy();
    shelf = other.shelf.copy();
    queue = other.queue.copy();
    sessions = other.sessions.copy();
    keys = other.keys.copy();
    marks = other.marks.copy();
    leaders = other.leaders.copy();
    figures = other.figures.copy();
    log = other.log.copy();
    epoch = other.epoch;
    generation = other.generation == null ? null : other.generation.copy();
    watchedAt = other.watchedAt;
    graceUntil = other.graceUntil;
  }

  PoolState copy() {
    return new PoolState(this);
  }

  @Nullable MachineRow machine(MachineId id) {
    return machines.get(id);
  }

  void add(MachineRow row) {
    machines.put(row.id, row);
    byRegion.computeIfAbsent(row.region, any -> new TreeSet<>()).add(row.id);
  }

  void forget(MachineRow row) {
    machines.remove(row.id);
    Set<MachineId> ids = byRegion.get(row.region);
    if (ids != null) ids.remove(row.id);
    unknown.remove(row.id);
    marks.forget(row.id);
  }

  List<MachineRow> machines(Region region) {
    List<MachineRow> found = new ArrayList<>();
    for (MachineId id : byRegion.getOrDefault(region, Set.of())) {
      MachineRow row = machines.get(id);
      if (row != null) found.add(row);
    }
    return found;
  }

  List<Region> regions() {
    return List.copyOf(byRegion.keySet());
  }
}
