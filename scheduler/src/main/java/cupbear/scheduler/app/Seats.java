// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Spread;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.loop.RegionLoop;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.StoreState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regional pools this replica leads or would lead: campaigns, renews, begins and ends loops. A
 * loop whose renewal is late is stopped at once, by the monotonic clock: a process that stood still
 * must not act on what it knew. The supervisor's thread.
 */
final class Seats {
  /** How long the one who should lead is given, before anybody else does. */
  private static final Duration ORPHANED_AFTER = Duration.ofSeconds(3);

  /** A newcomer gets its share once it has been there for a while: a hand-over costs memory. */
  private static final Duration MISPLACED_AFTER = Duration.ofSeconds(30);

  /** What a former leader remembers is older than this: somebody else's word counts more. */
  private static final Duration MEMORY_GOOD_FOR = Duration.ofMinutes(1);

  /** How long tasks may take to end before leadership is handed over all the same. */
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(5);

  private static final Duration TASKS_LOOKED_AT = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(Seats.class);

  private final ReplicaId self;
  private final Pools pools;
  private final Ports ports;
  private final Supervisor.Threads threads;
  private final RegionBoard board;
  private final Home home;
  private final Deadlines deadlines;
  private final SteadyTime clock;
  private final BiConsumer<PoolSpec, StoreState> onState;
  private final BiConsumer<Seat, Seat.Lead> onLead;
  private final Map<String, Lister> listers = new HashMap<>();
  private final Map<PoolName, Map<Region, Seat>> seats = new TreeMap<>();
  private boolean leaving;

  /**
   * Nothing is led yet.
   *
   * @param onState told how the store was when a loop began
   * @param onLead told of each loop that begins
   */
  Seats(
      Supervisor.House house,
      Home home,
      BiConsumer<PoolSpec, StoreState> onState,
      BiConsumer<Seat, Seat.Lead> onLead) {
    this.self = house.self();
    this.pools = house.pools();
    this.ports = house.ports();
    this.threads = house.threads();
    this.board = house.board();
    this.home = home;
    this.deadlines = new Deadlines(ports.time());
    this.clock = new SteadyTime(ports.time());
    this.onState = onState;
    this.onLead = onLead;
  }

  void each(BiConsumer<Seat, Seat.Lead> then) {
    List<Seat> all = new ArrayList<>();
    seats.values().forEach(regions -> all.addAll(regions.values()));
    for (Seat seat : all) {
      Seat.Lead lead = seat.lead;
      if (lead != null) then.accept(seat, lead);
    }
  }

  void each(PoolName pool, BiConsumer<Seat, Seat.Lead> then) {
    each((seat, lead) -> {
      if (seat.pool.equals(pool)) then.accept(seat, lead);
    });
  }

  /** One look at one regional pool. */
  void tend(PoolSpec pool, Region region, Set<ReplicaId> live) {
    Seat seat =
        seats
            .computeIfAbsent(pool.name(), any -> new TreeMap<>())
            .computeIfAbsent(region, any -> new Seat(pool.name(), region));
    Seat.Lead lead = seat.lead;
    if (lead != null && !lead.tenure().holds()) {
      stop(seat, lead, "its renewal is late");
    } else if (lead != null) {
      renew(seat, lead);
      giveToItsOwner(seat, lead, live);
    } else if (!seat.asking && !leaving) {
      runFor(pool, seat, live);
    }
  }

  /** What is declared no more is not led any more. */
  void prune() {
    each((seat, lead) -> {
      boolean declared =
          pools.find(seat.pool).filter(pool -> pool.regions().containsKey(seat.region)).isPresent();
      if (!declared) handOver(seat, lead);
    });
  }

  /** Hands over everything and takes nothing any more. */
  Future<Void> leave() {
    leaving = true;
    List<Future<Void>> left = new ArrayList<>();
    each((seat, lead) -> left.add(handOver(seat, lead)));
    return Future.join(left).transform(any -> Future.succeededFuture());
  }

  /** Stops everything at once and tells nobody. */
  void drop() {
    leaving = true;
    each((seat, lead) -> {
      lead.tenure().end();
      lead.loop().stop();
    });
  }

  private void renew(Seat seat, Seat.Lead lead) {
    long now = ports.time().nanos();
    if (seat.renewing || now - seat.renewedNanos < Tenure.RENEW_EVERY.toNanos()) return;
    seat.renewing = true;
    seat.renewedNanos = now;
    home.ask(
        "renew",
        () -> ports.leadership().renew(lead.tenure().mandate(), self, Tenure.LEASE),
        (renewed, failure) -> {
          seat.renewing = false;
          if (!lead.equals(seat.lead)) return;
          // Not heard is not refused: asked again with the next look, while there is time.
          if (renewed == null) seat.renewedNanos = now - Tenure.RENEW_EVERY.toNanos();
          else if (renewed) lead.tenure().renewed(now);
          else stop(seat, lead, "somebody else leads");
        });
  }

  /** The owner leads; if it does not for a while, anybody does. */
  private void runFor(PoolSpec pool, Seat seat, Set<ReplicaId> live) {
    var owner = Spread.owner(seat.pool, seat.region, live);
    if (owner.isEmpty()) return;
    if (owner.get().equals(self)) campaign(pool, seat);
    else watchForOrphan(pool, seat);
  }

  private void watchForOrphan(PoolSpec pool, Seat seat) {
    seat.asking = true;
    home.ask(
        "leader",
        () -> ports.leadership().leader(seat.pool, seat.region),
        (leader, failure) -> {
          seat.asking = false;
          if (leader == null) return;
          long now = ports.time().nanos();
          if (leader.isPresent()) seat.emptySinceNanos = null;
          else if (seat.emptySinceNanos == null) seat.emptySinceNanos = now;
          Long since = seat.emptySinceNanos;
          boolean orphaned = since != null && now - since >= ORPHANED_AFTER.toNanos();
          if (orphaned && seat.lead == null && !leaving) campaign(pool, seat);
        });
  }

  private void campaign(PoolSpec pool, Seat seat) {
    seat.asking = true;
    long sent = ports.time().nanos();
    home.ask(
        "campaign",
        () -> ports.leadership().campaign(seat.pool, seat.region, self, Tenure.LEASE),
        (mandate, failure) -> {
          seat.asking = false;
          if (mandate == null || mandate.isEmpty()) return;
          Tenure tenure = new Tenure(mandate.get(), ports.time(), sent);
          if (leaving) resign(tenure);
          else learnOfStore(pool, seat, tenure, sent);
        });
  }

  /** A new leader first learns whether the store is whole: what it remembers may be needed. */
  private void learnOfStore(PoolSpec pool, Seat seat, Tenure tenure, long sent) {
    seat.asking = true;
    home.ask(
        "state",
        () -> ports.recovery().state(seat.pool),
        (state, failure) -> {
          seat.asking = false;
          if (leaving || !tenure.holds()) {
            resign(tenure);
            return;
          }
          seat.renewedNanos = sent;
          begin(pool, seat, tenure);
          if (state != null) onState.accept(pool, state);
        });
  }

  private void begin(PoolSpec pool, Seat seat, Tenure tenure) {
    boolean remembers = ports.time().nanos() - seat.memoryNanos < MEMORY_GOOD_FOR.toNanos();
    Memory memory = remembers ? seat.memory : Memory.NONE;
    RegionLoop loop =
        new RegionLoop(
            tenure.mandate(), pool.declaration(seat.region), memory, () -> ports.ids().luck());
    Supplier<PoolSpec> current = () -> pools.find(seat.pool).orElse(pool);
    RunningLoop running =
        new RunningLoop(
            loop,
            ports.time(),
            clock,
            threads.loop(seat.pool, seat.region),
            sink -> new EffectRunner(tenure, ports, current, lister(pool.app()), board, sink),
            why -> home.run(() -> ended(seat, tenure, why)));
    Seat.Lead lead = new Seat.Lead(tenure, running);
    seat.begin(lead);
    LOG.atInfo()
        .addKeyValue("pool", seat.pool)
        .addKeyValue("region", seat.region)
        .addKeyValue("epoch", tenure.mandate().epoch())
        .log("leading");
    running.start();
    onLead.accept(seat, lead);
  }

  private Lister lister(String app) {
    return listers.computeIfAbsent(
        app, any -> new Lister(ports.machines(app), ports.time(), clock, Lister.SHARED_FOR));
  }

  /** The loop ended by itself. If it broke, the store still thinks that we lead. */
  private void ended(Seat seat, Tenure tenure, String why) {
    Seat.Lead lead = seat.lead;
    if (lead == null || lead.tenure() != tenure) return;
    stop(seat, lead, why);
    resign(tenure);
  }

  private void stop(Seat seat, Seat.Lead lead, String why) {
    lead.tenure().end();
    lead.loop().stop();
    seat.end(lead.loop().memory(), ports.time().nanos());
    board.left(seat.pool, seat.region);
    LOG.atInfo()
        .addKeyValue("pool", seat.pool)
        .addKeyValue("region", seat.region)
        .addKeyValue("why", why)
        .log("not leading any more");
  }

  private Future<Void> resign(Tenure tenure) {
    return home.ask("resign", () -> ports.leadership().resign(tenure.mandate(), self));
  }

  private void giveToItsOwner(Seat seat, Seat.Lead lead, Set<ReplicaId> live) {
    var owner = Spread.owner(seat.pool, seat.region, live);
    if (owner.isEmpty() || owner.get().equals(self)) {
      seat.misplacedSinceNanos = null;
      return;
    }
    long now = ports.time().nanos();
    if (seat.misplacedSinceNanos == null) seat.misplacedSinceNanos = now;
    if (now - seat.misplacedSinceNanos >= MISPLACED_AFTER.toNanos()) handOver(seat, lead);
  }

  /** No new decisions; what is under way ends, while we still lead; then somebody else may. */
  private Future<Void> handOver(Seat seat, Seat.Lead lead) {
    if (seat.handedOver != null) return seat.handedOver;
    lead.loop().stop();
    Promise<Void> done = Promise.promise();
    seat.handedOver = done.future();
    tasksEnded(lead.loop(), ports.time().nanos() + TASKS_END_WITHIN.toNanos())
        .onComplete(any ->
            home.run(() -> {
              if (lead.equals(seat.lead)) stop(seat, lead, "handed over");
              resign(lead.tenure()).onComplete(over -> done.complete());
            }));
    return done.future();
  }

  private Future<Void> tasksEnded(RunningLoop loop, long untilNanos) {
    if (loop.acting() == 0 || ports.time().nanos() - untilNanos >= 0) {
      return Future.succeededFuture();
    }
    return deadlines.pause(TASKS_LOOKED_AT).compose(any -> tasksEnded(loop, untilNanos));
  }

  void tell(PoolName pool, Event event) {
    each(pool, (seat, lead) -> lead.loop().tell(event));
  }
}
