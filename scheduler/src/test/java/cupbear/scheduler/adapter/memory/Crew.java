// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Three replicas: what each remembers, who leads, and what they do after a loss. */
final class Crew {
  private static final int SIZE = 3;
  private static final Duration MEMORY = Duration.ofMinutes(1);
  private static final Duration LEASE = Duration.ofSeconds(15);

  /** One replica; it dies with its memory. */
  private final class Replica {
    final ReplicaId id = new ReplicaId("r" + ++born);
    final MemoryConnection ports = walker.store.connect();
    final Map<SessionId, Grant> grants = new TreeMap<>();
    final Map<SessionId, Grant> ended = new TreeMap<>();
    final Map<SessionId, Instant> grantedAt = new TreeMap<>();
    final Map<ReplicaId, Instant> peers = new TreeMap<>();
    final Map<Region, List<Booked>> books = new TreeMap<>();

    ReplicaReport report() {
      Instant lately = walker.now.minus(MEMORY);
      grants.keySet().removeIf(id -> grantedAt.getOrDefault(id, lately).isBefore(lately));
      peers.values().removeIf(seen -> seen.isBefore(lately));
      return new ReplicaReport(
          id, peers.keySet(), List.copyOf(grants.values()), List.copyOf(ended.values()));
    }
  }

  private final Walker walker;
  private final List<Replica> replicas = new ArrayList<>();
  private final Map<Region, Mandate> mandates = new TreeMap<>();
  private final Map<Region, Replica> leaders = new TreeMap<>();
  private boolean calm;
  private int born;

  Crew(Walker walker) {
    this.walker = walker;
    while (replicas.size() < SIZE) replicas.add(new Replica());
  }

  MemoryConnection anyone() {
    return walker.any(replicas).ports;
  }

  boolean isCalm() {
    return calm;
  }

  void remember(MemoryConnection through, Grant grant) {
    for (Replica replica : replicas) {
      if (replica.ports != through) continue;
      replica.grants.put(grant.session(), grant);
      replica.grantedAt.put(grant.session(), walker.now);
    }
  }

  /** A session ended through this one. */
  void over(MemoryConnection through, Grant grant) {
    for (Replica replica : replicas) {
      if (replica.ports != through) continue;
      replica.grants.remove(grant.session());
      replica.ended.put(grant.session(), grant);
    }
  }

  /** Its process is gone, and what it remembered; a new one takes its place. */
  void kill() {
    Replica dead = replicas.remove(walker.dice.nextInt(replicas.size()));
    dead.ports.close();
    leaders.values().removeIf(leader -> leader == dead);
    replicas.add(new Replica());
  }

  /** Something is wrong with the store: nobody acts before everybody has looked. */
  void alarm() {
    calm = false;
  }

  /** What every replica does every few seconds. */
  void look() {
    for (Replica replica : replicas) {
      StoreState state = Walker.must(replica.ports.recovery().state(Walker.POOL));
      if (state instanceof StoreState.Recovering) {
        Walker.must(replica.ports.recovery().report(Walker.POOL, replica.report()));
      }
      Set<ReplicaId> live =
          Walker.must(replica.ports.leadership().hello(Walker.POOL, replica.id, MEMORY));
      live.forEach(peer -> replica.peers.put(peer, walker.now));
    }
    Walker.REGIONS.forEach(this::lead);
    boolean before = calm;
    StoreState state = Walker.must(replicas.getFirst().ports.recovery().state(Walker.POOL));
    calm = state instanceof StoreState.Ready;
    if (calm && !before) walker.healed();
    for (Region region : Walker.REGIONS) {
      Replica leader = leaders.get(region);
      if (leader == null || !calm) continue;
      replicas.forEach(replica -> replica.books.remove(region));
      leader.books.put(region, machines(region));
    }
  }

  private void lead(Region region) {
    Replica leader = leaders.get(region);
    Mandate mandate = mandates.get(region);
    boolean goesOn =
        leader != null
            && mandate != null
            && Walker.must(leader.ports.leadership().renew(mandate, leader.id, LEASE));
    if (goesOn) return;
    leaders.remove(region);
    Replica candidate = walker.any(replicas);
    Optional<Mandate> won =
        Walker.must(
            candidate.ports.leadership().campaign(Walker.POOL, region, candidate.id, LEASE));
    if (won.isEmpty()) return;
    leaders.put(region, candidate);
    mandates.put(region, won.get());
    RegionReport report =
        new RegionReport(candidate.books.getOrDefault(region, List.of()), tagged(region));
    Walker.must(candidate.ports.recovery().report(won.get(), report));
  }

  /** Fly's tags lag behind: many of those in use are not tagged yet. */
  private Set<MachineId> tagged(Region region) {
    Set<MachineId> tagged = new TreeSet<>();
    for (Grant grant : walker.gateways.held()) {
      boolean shown = walker.dice.nextInt(4) == 0;
      if (shown && grant.region().equals(region)) tagged.add(grant.machine());
    }
    return tagged;
  }

  List<Booked> machines(Region region) {
    var snapshot = replicas.getFirst().ports.book().snapshot(Walker.POOL, region);
    return snapshot.succeeded() ? snapshot.result().machines() : List.of();
  }

  @Nullable Moved move(Region region, Move move) {
    Replica leader = leaders.get(region);
    Mandate mandate = mandates.get(region);
    if (leader == null || mandate == null) return null;
    var moved = leader.ports.book().move(mandate, move);
    return moved.succeeded() ? moved.result() : null;
  }

  String prove(Region region, Proof proof) {
    Replica leader = leaders.get(region);
    Mandate mandate = mandates.get(region);
    if (leader == null || mandate == null) return "nobody leads";
    var proved = leader.ports.book().prove(mandate, proof, Walker.TERMS);
    return "prove %s: %s".formatted(proof.machine(), Walker.said(proved));
  }

  String vouch() {
    for (Region region : Walker.REGIONS) {
      Replica leader = leaders.get(region);
      Mandate mandate = mandates.get(region);
      if (leader == null || mandate == null) continue;
      List<Proof> proofs =
          machines(region).stream()
              .map(each -> new Proof(each.id(), each.bootedAt(), walker.now, walker.now))
              .filter(any -> walker.dice.nextBoolean())
              .toList();
      leader.ports.book().vouch(mandate, proofs);
    }
    return "vouch";
  }

  String lose(Region region, MachineId machine, MachineState.Assigned assigned) {
    Replica leader = leaders.get(region);
    Mandate mandate = mandates.get(region);
    if (leader == null || mandate == null) return "nobody leads";
    var lost =
        leader
            .ports
            .book()
            .lose(mandate, machine, assigned.session(), assigned.epoch(), Walker.TERMS);
    walker.dead.add(machine);
    return "lose %s: %s".formatted(machine, Walker.said(lost));
  }

  String expire() {
    for (Region region : Walker.REGIONS) {
      Replica leader = leaders.get(region);
      Mandate mandate = mandates.get(region);
      if (leader == null || mandate == null) continue;
      return "expire: " + Walker.said(leader.ports.book().expire(mandate, Walker.TERMS));
    }
    return "nobody expires";
  }

  String resign() {
    Region region = walker.any(Walker.REGIONS);
    Replica leader = leaders.get(region);
    Mandate mandate = mandates.get(region);
    if (leader == null || mandate == null) return "nobody resigns";
    leader.ports.leadership().resign(mandate, leader.id);
    return leader.id + " resigns " + region;
  }
}
