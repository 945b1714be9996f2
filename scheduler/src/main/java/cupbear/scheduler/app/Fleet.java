// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.QueueTimes;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is there, for people: pools, Machines, plans and stories. Read from the store, so that every
 * replica says the same; only targets and plans are known where the region is led. Any thread;
 * holds nothing.
 */
public final class Fleet {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(3);
  private static final int PAGE = 1000;

  /** The journal holds 10,000 entries; a few more pages for those written meanwhile. */
  private static final int PAGES_MOST = 12;

  /** One regional pool. */
  public record RegionView(
      Region region,
      Snapshot snapshot,
      Optional<ReplicaId> leader,
      Optional<RegionStatus> status,
      Optional<RegionBoard.Word> word) {
    /** By the store's word, which every replica has. */
    public Counts counts() {
      return new Counts(
          count(Standing.WARM),
          count(Standing.PROVISIONING) + count(Standing.PROVING),
          status.map(each -> each.counts().expected()).orElse(0),
          count(Standing.ASSIGNED),
          count(Standing.DRAINING),
          count(Standing.PARKED),
          count(Standing.CONDEMNED));
    }

    private int count(Standing standing) {
      return (int)
          snapshot.machines().stream().filter(each -> each.state().standing() == standing).count();
    }

    /** Machines that had been proven in this boot and are doubted now. */
    public int unhealthy() {
      return (int) snapshot.machines().stream().filter(Fleet::isDoubted).count();
    }

    /** Empty without requests in the last ten seconds. */
    public Optional<Duration> queueP95() {
      Instant oldest = snapshot.at().minusSeconds(10);
      boolean any = snapshot.waits().stream().anyMatch(each -> each.at().isAfter(oldest));
      return any ? Optional.of(QueueTimes.p95(snapshot.waits(), snapshot.at())) : Optional.empty();
    }
  }

  /** One pool with its regions, in declared order. */
  public record PoolView(PoolSpec spec, List<RegionView> regions) {}

  /** One Machine. */
  public record MachineView(PoolName pool, Booked booked, boolean cordoned, boolean leaving) {
    public boolean doubted() {
      return isDoubted(booked);
    }
  }

  /**
   * What the next pass would do in one region.
   *
   * @param decided null when the region is led by another replica, or by none yet
   */
  public record PlanView(
      PoolName pool, Region region, Optional<ReplicaId> leader, @Nullable Decided decided) {}

  /** A plan and when it was made. */
  public record Decided(Instant at, Plan plan) {}

  private final Pools pools;
  private final Ports ports;
  private final RegionBoard board;
  private final Deadlines deadlines;

  public Fleet(Pools pools, Ports ports, RegionBoard board) {
    this.pools = pools;
    this.ports = ports;
    this.board = board;
    this.deadlines = new Deadlines(ports.time());
  }

  /** The declared pools. */
  public Pools pools() {
    return pools;
  }

  public Future<PoolView> pool(PoolSpec spec) {
    List<Future<RegionView>> asked =
        spec.placement().regions().stream().map(region -> region(spec.name(), region)).toList();
    return Future.all(asked).map(all -> new PoolView(spec, all.list()));
  }

  private Future<RegionView> region(PoolName pool, Region region) {
    Future<Snapshot> snapshot = snapshot(pool, region);
    Future<Optional<ReplicaId>> leader = leader(pool, region);
    return Future.all(snapshot, leader)
        .map(any ->
            new RegionView(
                region,
                snapshot.result(),
                leader.result(),
                board.status(pool, region),
                board.word(pool, region)));
  }

  private Future<Optional<ReplicaId>> leader(PoolName pool, Region region) {
    return deadlines.within(STORE_WITHIN, "leader", () -> ports.leadership().leader(pool, region));
  }

  Future<Snapshot> snapshot(PoolName pool, Region region) {
    return deadlines.within(STORE_WITHIN, "snapshot", () -> ports.book().snapshot(pool, region));
  }

  /** The newest decisions, as far as this replica made them. */
  public Future<List<PlanView>> plans(PoolSpec spec, @Nullable Region only) {
    List<Future<PlanView>> asked =
        spec.placement().regions().stream()
            .filter(region -> only == null || region.equals(only))
            .map(region -> plan(spec.name(), region))
            .toList();
    return Future.all(asked).map(all -> all.list());
  }

  private Future<PlanView> plan(PoolName pool, Region region) {
    Optional<RegionStatus> status = board.status(pool, region);
    Optional<Plan> plan = board.plan(pool, region);
    return leader(pool, region)
        .map(leader ->
            new PlanView(
                pool,
                region,
                leader,
                status.isPresent() && plan.isPresent()
                    ? new Decided(status.get().at(), plan.get())
                    : null));
  }

  /** All Machines of these pools, by pool, region and id. */
  public Future<List<MachineView>> machines(Collection<PoolSpec> specs) {
    List<Future<List<MachineView>>> asked = new ArrayList<>();
    for (PoolSpec spec : specs) {
      for (Region region : spec.regions().keySet()) {
        asked.add(snapshot(spec.name(), region).map(found -> views(spec.name(), found)));
      }
    }
    return Future.all(asked)
        .map(all -> all.<List<MachineView>>list().stream().flatMap(List::stream).toList());
  }

  private static List<MachineView> views(PoolName pool, Snapshot snapshot) {
    Marks marks = snapshot.marks();
    return snapshot.machines().stream()
        .map(each ->
            new MachineView(
                pool,
                each,
                marks.regionCordoned() || marks.cordoned().contains(each.id()),
                marks.regionDraining() || marks.drain().contains(each.id())))
        .sorted(java.util.Comparator.comparing(each -> each.booked().id()))
        .toList();
  }

  public Future<Optional<MachineView>> machine(Collection<PoolSpec> specs, MachineId id) {
    return machines(specs)
        .map(all -> all.stream().filter(each -> each.booked().id().equals(id)).findFirst());
  }

  /** A Machine that is in no book any more, and what is left of it. */
  public record GoneView(PoolName pool, Region region, MachineId id, List<Entry> story) {}

  /** What the journals of these pools say of a Machine that is not there (any more). */
  public Future<Optional<GoneView>> gone(Collection<PoolSpec> specs, MachineId machine) {
    List<Future<List<Entry>>> asked =
        specs.stream().map(spec -> story(spec.name(), machine)).toList();
    return Future.all(asked)
        .map(all ->
            all.<List<Entry>>list().stream()
                .filter(story -> !story.isEmpty() && story.getLast().region() != null)
                .map(story -> {
                  Entry last = story.getLast();
                  Region region = java.util.Objects.requireNonNull(last.region());
                  return new GoneView(last.pool(), region, machine, story);
                })
                .findFirst());
  }

  /** Everything the journal still has about a Machine, oldest first. */
  public Future<List<Entry>> story(PoolName pool, MachineId machine) {
    return story(pool, machine, "", new ArrayList<>(), PAGES_MOST);
  }

  private Future<List<Entry>> story(
      PoolName pool, MachineId machine, String after, List<Entry> found, int pages) {
    return deadlines
        .within(STORE_WITHIN, "journal", () -> ports.journal().after(pool, after, PAGE))
        .compose(page -> {
          page.stream().filter(each -> machine.equals(each.machine())).forEach(found::add);
          return page.size() < PAGE || pages <= 1
              ? Future.succeededFuture(found)
              : story(pool, machine, page.getLast().id(), found, pages - 1);
        });
  }

  private static boolean isDoubted(Booked machine) {
    return machine.state() instanceof MachineState.Proving && machine.proof() != null;
  }
}
