// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Atlas;
import cupbear.scheduler.core.Spill;
import cupbear.scheduler.core.Spread;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.loop.RegionLoop;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops loops as leadership comes and goes, and keeps the store informed of what this
 * replica remembers. Everything here happens on one thread, {@link Threads#home()}; it holds no
 * state that a restart would miss.
 */
public final class Supervisor {
  /** Gives each regional pool the one thread its loop runs on. */
  public interface Threads {
    /** For the supervisor itself. */
    Executor home();

    Executor loop(PoolName pool, Region region);
  }

  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration HELLO_EVERY = Duration.ofSeconds(3);

  /** A replica that was silent for this long is not counted on. */
  private static final Duration LIVE_WITHIN = Duration.ofSeconds(12);

  /** How long the one who should lead is given, before anybody else does. */
  private static final Duration ORPHANED_AFTER = Duration.ofSeconds(3);

  /** A newcomer gets its share once it has been there for a while: a hand-over costs memory. */
  private static final Duration MISPLACED_AFTER = Duration.ofSeconds(30);

  /** What a former leader remembers is older than this: somebody else's word counts more. */
  private static final Duration MEMORY_GOOD_FOR = Duration.ofMinutes(1);

  /** How long tasks may take to end before leadership is handed over all the same. */
  private static final Duration TASKS_END_WITHIN = Duration.ofSeconds(5);

  private static final Duration STORE_WITHIN = Duration.ofSeconds(4);

  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  private final ReplicaId self;
  private final Pools pools;
  private final Ports ports;
  private final Threads threads;
  private final GrantMemory grants;
  private final RegionBoard board;
  private final SteadyTime clock;
  private final Deadlines deadlines;
  private final Map<String, Lister> listers = new HashMap<>();
  private final Map<PoolName, Map<Region, Seat>> seats = new TreeMap<>();
  private final Map<PoolName, Peers> peers = new HashMap<>();
  private final Map<PoolName, Long> helloNanos = new HashMap<>();
  private final Map<PoolName, StoreState> states = new HashMap<>();
  private final Set<PoolName> heard = new HashSet<>();
  private final Set<PoolName> looking = new HashSet<>();
  private boolean leaving;
  private boolean dead;

  public Supervisor(
      ReplicaId self,
      Pools pools,
      Ports ports,
      Threads threads,
      GrantMemory grants,
      RegionBoard board) {
    this.self = self;
    this.pools = pools;
    this.ports = ports;
    this.threads = threads;
    this.grants = grants;
    this.board = board;
    this.clock = new SteadyTime(ports.time());
    this.deadlines = new Deadlines(ports.time());
  }

  public void start() {
    threads.home().execute(this::tick);
  }

  /** What is declared changed: {@link Pools} holds the new word already. */
  public void declared() {
    threads.home().execute(() -> {
      prune();
      eachLead((seat, lead) ->
          pools
              .find(seat.pool)
              .ifPresent(pool ->
                  lead.loop().tell(new Event.Declared(pool.declaration(seat.region)))));
    });
  }

  /** An external signal announces demand; counts where this replica leads. */
  public void hint(PoolName pool, Region region, double perSecond, Duration holds) {
    threads.home().execute(() ->
        eachLead((seat, lead) -> {
          boolean meant = seat.pool.equals(pool) && seat.region.equals(region);
          if (meant) lead.loop().tell(new Event.Hinted(perSecond, holds));
        }));
  }

  /** Something made a caller doubt the store: look now, not at the next tick. */
  public void lookAtStore(PoolName pool) {
    threads.home().execute(() -> pools.find(pool).ifPresent(this::askStore));
  }

  /** Hands over leadership: no new decisions, what is under way ends, then others may lead. */
  public Future<Void> drain() {
    Promise<Void> done = Promise.promise();
    threads.home().execute(() -> {
      leaving = true;
      List<Future<Void>> left = new ArrayList<>();
      eachLead((seat, lead) -> left.add(handOver(seat, lead)));
      Future.join(left)
          .transform(any -> sayGoodbye())
          .onComplete(any -> threads.home().execute(() -> {
            dead = true;
            done.complete();
          }));
    });
    return done.future();
  }

  /** Stops everything at once and tells nobody: what a killed process does. */
  public void kill() {
    dead = true;
    seats.values().forEach(regions ->
        regions.values().forEach(seat -> {
          Seat.Lead lead = seat.lead;
          if (lead == null) return;
          lead.tenure().end();
          lead.loop().stop();
        }));
  }

  // ---- the tick

  private void tick() {
    if (dead) return;
    prune();
    for (PoolSpec pool : pools.all().values()) {
      listen(pool.name());
      greet(pool.name());
      askStore(pool);
      for (Region region : pool.regions().keySet()) tend(pool, seat(pool.name(), region));
      spill(pool);
    }
    ports.time().after(TICK, () -> threads.home().execute(this::tick));
  }

  private Seat seat(PoolName pool, Region region) {
    return seats
        .computeIfAbsent(pool, any -> new TreeMap<>())
        .computeIfAbsent(region, any -> new Seat(pool, region));
  }

  /** What is declared no more is not led any more. */
  private void prune() {
    eachLead((seat, lead) -> {
      boolean declared =
          pools.find(seat.pool).filter(pool -> pool.regions().containsKey(seat.region)).isPresent();
      if (!declared) handOver(seat, lead);
    });
  }

  private void tend(PoolSpec pool, Seat seat) {
    Seat.Lead lead = seat.lead;
    if (lead != null && !lead.tenure().holds()) {
      stop(seat, lead, "its renewal is late");
    } else if (lead != null) {
      renew(seat, lead);
      giveToItsOwner(seat, lead);
    } else if (!seat.asking && !leaving) {
      runFor(pool, seat);
    }
  }

  private void renew(Seat seat, Seat.Lead lead) {
    long now = ports.time().nanos();
    if (seat.renewing || now - seat.renewedNanos < Tenure.RENEW_EVERY.toNanos()) return;
    seat.renewing = true;
    seat.renewedNanos = now;
    store("renew", () -> ports.leadership().renew(lead.tenure().mandate(), self, Tenure.LEASE))
        .onComplete((renewed, failure) -> home(() -> {
          seat.renewing = false;
          if (seat.lead != lead || failure != null) return;
          if (renewed) lead.tenure().renewed(now);
          else stop(seat, lead, "somebody else leads");
        }));
  }

  /** The owner leads; if it does not for a while, anybody does. */
  private void runFor(PoolSpec pool, Seat seat) {
    var owner = Spread.owner(seat.pool, seat.region, peers(seat.pool).live());
    if (owner.isEmpty()) return;
    if (owner.get().equals(self)) campaign(pool, seat);
    else watchForOrphan(pool, seat);
  }

  private void watchForOrphan(PoolSpec pool, Seat seat) {
    seat.asking = true;
    store("leader", () -> ports.leadership().leader(seat.pool, seat.region))
        .onComplete((leader, failure) -> home(() -> {
          seat.asking = false;
          if (failure != null) return;
          long now = ports.time().nanos();
          if (leader.isPresent()) seat.emptySinceNanos = null;
          else if (seat.emptySinceNanos == null) seat.emptySinceNanos = now;
          Long since = seat.emptySinceNanos;
          boolean orphaned = since != null && now - since >= ORPHANED_AFTER.toNanos();
          if (orphaned && seat.lead == null && !leaving) campaign(pool, seat);
        }));
  }

  private void campaign(PoolSpec pool, Seat seat) {
    seat.asking = true;
    long sent = ports.time().nanos();
    store("campaign", () -> ports.leadership().campaign(seat.pool, seat.region, self, Tenure.LEASE))
        .onComplete((mandate, failure) -> home(() -> {
          if (failure != null || mandate.isEmpty() || leaving) {
            seat.asking = false;
            mandateUnused(mandate == null ? null : mandate.orElse(null));
            return;
          }
          beginWithStore(pool, seat, new Tenure(mandate.get(), ports.time(), sent), sent);
        }));
  }

  private void mandateUnused(@Nullable Mandate mandate) {
    if (mandate != null) store("resign", () -> ports.leadership().resign(mandate, self));
  }

  /** A new leader first learns whether the store is whole: what it remembers may be needed. */
  private void beginWithStore(PoolSpec pool, Seat seat, Tenure tenure, long sent) {
    store("state", () -> ports.recovery().state(seat.pool))
        .onComplete((state, failure) -> home(() -> {
          seat.asking = false;
          if (!tenure.holds()) return;
          seat.renewedNanos = sent;
          seat.emptySinceNanos = null;
          seat.misplacedSinceNanos = null;
          begin(pool, seat, tenure);
          if (state != null) heardState(pool, state);
        }));
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
            why -> home(() -> ended(seat, tenure, why)));
    seat.lead = new Seat.Lead(tenure, running);
    seat.spilledIn = 0;
    LOG.atInfo()
        .addKeyValue("pool", seat.pool)
        .addKeyValue("region", seat.region)
        .addKeyValue("epoch", tenure.mandate().epoch())
        .log("leading");
    running.start();
  }

  private Lister lister(String app) {
    return listers.computeIfAbsent(
        app,
        any -> new Lister(ports.machines(app), ports.time(), clock, Lister.SHARED_FOR));
  }

  /** The loop ended by itself. If it broke, the store still thinks that we lead. */
  private void ended(Seat seat, Tenure tenure, String why) {
    Seat.Lead lead = seat.lead;
    if (lead == null || lead.tenure() != tenure) return;
    stop(seat, lead, why);
    store("resign", () -> ports.leadership().resign(tenure.mandate(), self));
  }

  private void stop(Seat seat, Seat.Lead lead, String why) {
    lead.tenure().end();
    lead.loop().stop();
    seat.memory = lead.loop().memory();
    seat.memoryNanos = ports.time().nanos();
    seat.lead = null;
    board.left(seat.pool, seat.region);
    LOG.atInfo()
        .addKeyValue("pool", seat.pool)
        .addKeyValue("region", seat.region)
        .addKeyValue("why", why)
        .log("not leading any more");
  }

  private void giveToItsOwner(Seat seat, Seat.Lead lead) {
    var owner = Spread.owner(seat.pool, seat.region, peers(seat.pool).live());
    if (owner.isEmpty() || owner.get().equals(self)) {
      seat.misplacedSinceNanos = null;
      return;
    }
    long now = ports.time().nanos();
    if (seat.misplacedSinceNanos == null) seat.misplacedSinceNanos = now;
    if (now - seat.misplacedSinceNanos >= MISPLACED_AFTER.toNanos()) handOver(seat, lead);
  }

  private Future<Void> handOver(Seat seat, Seat.Lead lead) {
    lead.loop().stop();
    return tasksEnded(lead.loop(), ports.time().nanos() + TASKS_END_WITHIN.toNanos())
        .transform(any -> {
          Promise<Void> resigned = Promise.promise();
          home(() -> {
            if (seat.lead == lead) stop(seat, lead, "handed over");
            store("resign", () -> ports.leadership().resign(lead.tenure().mandate(), self))
                .onComplete(over -> resigned.complete());
          });
          return resigned.future();
        });
  }

  private Future<Void> tasksEnded(RunningLoop loop, long untilNanos) {
    if (loop.acting() == 0 || ports.time().nanos() - untilNanos >= 0) {
      return Future.succeededFuture();
    }
    return deadlines.pause(Duration.ofMillis(100)).compose(any -> tasksEnded(loop, untilNanos));
  }

  private Future<Void> sayGoodbye() {
    List<Future<Void>> said = new ArrayList<>();
    for (PoolName pool : pools.all().keySet()) {
      said.add(store("goodbye", () -> ports.leadership().goodbye(pool, self)));
    }
    return Future.join(said).transform(any -> Future.succeededFuture());
  }

  // ---- what all loops of a pool share

  private void greet(PoolName pool) {
    long now = ports.time().nanos();
    Long last = helloNanos.get(pool);
    if (leaving || (last != null && now - last < HELLO_EVERY.toNanos())) return;
    helloNanos.put(pool, now);
    store("hello", () -> ports.leadership().hello(pool, self, LIVE_WITHIN))
        .onSuccess(live -> home(() -> peers(pool).seen(live)));
  }

  private Peers peers(PoolName pool) {
    return peers.computeIfAbsent(pool, any -> new Peers(self, ports.time()));
  }

  private void askStore(PoolSpec pool) {
    if (dead || !looking.add(pool.name())) return;
    store("state", () -> ports.recovery().state(pool.name()))
        .onComplete((state, failure) -> home(() -> {
          looking.remove(pool.name());
          if (state != null) heardState(pool, state);
        }));
  }

  private void heardState(PoolSpec pool, StoreState state) {
    states.put(pool.name(), state);
    eachLead((seat, lead) -> {
      if (seat.pool.equals(pool.name())) lead.loop().tell(new Event.StoreLooked(state, false));
    });
    if (state instanceof StoreState.Recovering) {
      ReplicaReport report =
          new ReplicaReport(self, peers(pool.name()).lately(), grants.of(pool.name()));
      store("report", () -> ports.recovery().report(pool.name(), report));
    }
  }

  private void listen(PoolName pool) {
    if (heard.add(pool)) ports.journal().onEntry(pool, entry -> home(() -> route(entry)));
  }

  private void route(Entry entry) {
    if (dead) return;
    switch (entry.kind()) {
      case "region.status" -> neighbour(entry);
      case "store.recovering", "store.ready" -> pools.find(entry.pool()).ifPresent(this::askStore);
      default ->
          eachLead((seat, lead) -> {
            boolean here = entry.region() == null || entry.region().equals(seat.region);
            if (here && seat.pool.equals(entry.pool())) {
              lead.loop().tell(new Event.Happened(entry));
            }
          });
    }
  }

  private void neighbour(Entry entry) {
    Region region = entry.region();
    if (region == null) return;
    try {
      int unmet = Integer.parseInt(entry.data().getOrDefault("unmet", "0"));
      long boot = Long.parseLong(entry.data().getOrDefault("boot_ms", "0"));
      board.heard(entry.pool(), region, unmet, Duration.ofMillis(boot));
      pools.find(entry.pool()).ifPresent(this::spill);
    } catch (NumberFormatException unreadable) {
      LOG.atWarn().addKeyValue("entry", entry).log("a journal entry that we cannot read");
    }
  }

  private void spill(PoolSpec pool) {
    var onto = Spill.onto(board.unmet(pool.name()), pool.placement(), Atlas.FLY);
    eachLead((seat, lead) -> {
      int machines = onto.getOrDefault(seat.region, 0);
      if (!seat.pool.equals(pool.name()) || machines == seat.spilledIn) return;
      seat.spilledIn = machines;
      lead.loop().tell(new Event.Spilled(machines));
    });
  }

  private void eachLead(BiConsumer<Seat, Seat.Lead> then) {
    List<Seat> all = new ArrayList<>();
    seats.values().forEach(regions -> all.addAll(regions.values()));
    for (Seat seat : all) {
      Seat.Lead lead = seat.lead;
      if (lead != null) then.accept(seat, lead);
    }
  }

  private <T> Future<T> store(String what, Supplier<Future<T>> call) {
    return deadlines.within(STORE_WITHIN, what, call);
  }

  private void home(Runnable then) {
    threads.home().execute(() -> {
      if (!dead) then.run();
    });
  }
}
