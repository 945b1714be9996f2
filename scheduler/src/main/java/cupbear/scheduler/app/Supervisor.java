// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Atlas;
import cupbear.scheduler.core.Spill;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PlanDigest;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops loops as leadership comes and goes, tells them what concerns a whole pool (the
 * journal, the neighbours, the state of the store), and tells a store that lost data what this
 * replica remembers. Everything here happens on one thread, {@link Threads#home()}; it holds
 * nothing that a restart would miss.
 */
public final class Supervisor {
  /** Gives each regional pool the one thread its loop runs on. */
  public interface Threads {
    /** For the supervisor itself. */
    Executor home();

    Executor loop(PoolName pool, Region region);
  }

  /** Everything a replica is made of. */
  record House(ReplicaId self, Pools pools, Ports ports, Threads threads, RegionBoard board) {}

  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration HELLO_EVERY = Duration.ofSeconds(3);

  /** A replica that was silent for this long is not counted on. */
  private static final Duration LIVE_WITHIN = Duration.ofSeconds(12);

  private static final int PAGE = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  private final ReplicaId self;
  private final Pools pools;
  private final Ports ports;
  private final GrantMemory grants;
  private final RegionBoard board;
  private final StoreHealth health;
  private final Home home;
  private final Seats seats;
  private final HintBook hints = new HintBook();
  private final Map<PoolName, Peers> peers = new HashMap<>();
  private final Map<PoolName, Long> helloNanos = new HashMap<>();
  private final Set<PoolName> heard = new HashSet<>();
  private final Set<PoolName> looking = new HashSet<>();
  private boolean leaving;

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
    this.grants = grants;
    this.board = board;
    this.health = new StoreHealth(ports.time());
    this.home = new Home(threads.home(), new Deadlines(ports.time()));
    this.seats =
        new Seats(
            new House(self, pools, ports, threads, board), home, this::heardState, this::tellHint);
  }

  public void start() {
    home.run(this::tick);
  }

  /** What is declared changed: {@link Pools} holds the new word already. */
  public void declared() {
    home.run(() -> {
      seats.prune();
      seats.each((seat, lead) ->
          pools
              .find(seat.pool)
              .filter(pool -> pool.regions().containsKey(seat.region))
              .ifPresent(
                  pool -> lead.loop().tell(new Event.Declared(pool.declaration(seat.region)))));
    });
  }

  /** This process knows of demand to come; counts while this replica leads. */
  public void hint(PoolName pool, Region region, double perSecond, Duration holds) {
    home.run(() -> {
      hints.take(pool, region, perSecond, holds, ports.time().now());
      tellHints(pool, region);
    });
  }

  /** How the store does, as far as was heard here. */
  public StoreHealth storeHealth() {
    return health;
  }

  /** Something made a caller doubt the store: look now, not at the next tick. */
  public void lookAtStore(PoolName pool) {
    home.run(() -> pools.find(pool).ifPresent(this::askStore));
  }

  /** Hands over leadership: no new decisions, what is under way ends, then others may lead. */
  public Future<Void> drain() {
    Promise<Void> done = Promise.promise();
    home.run(() -> {
      leaving = true;
      seats
          .leave()
          .transform(any -> sayGoodbye())
          .onComplete(any -> {
            home.close();
            done.complete();
          });
    });
    return done.future();
  }

  /** Stops everything at once and tells nobody: what a killed process does. */
  public void kill() {
    home.close();
    seats.drop();
  }

  /** What breaks in one look must not end all looks: who stops renewing stops leading. */
  private void tick() {
    try {
      look();
    } finally {
      ports.time().after(TICK, () -> home.run(this::tick));
    }
  }

  private void look() {
    seats.prune();
    for (PoolSpec pool : pools.all().values()) {
      listen(pool.name());
      greet(pool.name());
      askStore(pool);
      health.news(pool.name()).ifPresent(how -> ports.meters().store(pool.name(), how));
      for (Region region : pool.regions().keySet()) {
        seats.tend(pool, region, peers(pool.name()).live());
      }
      spill(pool);
    }
  }

  // ---- who else is there

  private void greet(PoolName pool) {
    long now = ports.time().nanos();
    Long last = helloNanos.get(pool);
    if (leaving || (last != null && now - last < HELLO_EVERY.toNanos())) return;
    helloNanos.put(pool, now);
    home.ask(
        "hello",
        () -> ports.leadership().hello(pool, self, LIVE_WITHIN),
        (live, failure) -> {
          if (live != null) peers(pool).seen(live);
        });
  }

  private Peers peers(PoolName pool) {
    return peers.computeIfAbsent(pool, any -> new Peers(self, ports.time()));
  }

  private Future<Void> sayGoodbye() {
    List<Future<Void>> said = new ArrayList<>();
    for (PoolName pool : pools.all().keySet()) {
      said.add(home.ask("goodbye", () -> ports.leadership().goodbye(pool, self)));
    }
    return Future.join(said).transform(any -> Future.succeededFuture());
  }

  // ---- whether the store can be believed

  private void askStore(PoolSpec pool) {
    if (!looking.add(pool.name())) return;
    home.ask(
        "state",
        () -> ports.recovery().state(pool.name()),
        (state, failure) -> {
          looking.remove(pool.name());
          if (state != null) heardState(pool, state);
        });
  }

  private void heardState(PoolSpec pool, StoreState state) {
    health.heard(pool.name(), state);
    seats.tell(pool.name(), new Event.StoreLooked(state, false));
    if (!(state instanceof StoreState.Recovering)) return;
    ReplicaReport report =
        new ReplicaReport(
            self, peers(pool.name()).lately(), grants.of(pool.name()), grants.over(pool.name()));
    home.ask(
        "report",
        () -> ports.recovery().report(pool.name(), report),
        (next, failure) -> {
          if (next != null) seats.tell(pool.name(), new Event.StoreLooked(next, false));
        });
  }

  // ---- what others write

  private void listen(PoolName pool) {
    if (heard.contains(pool)) return;
    ports.journal().onEntry(pool, entry -> home.run(() -> route(entry)));
    heard.add(pool);
    Instant since = ports.time().now().minus(HintBook.VALID_MOST);
    readBack(pool, since.toEpochMilli() + "-0");
  }

  /** What was announced before this replica was there; a store that does not answer knows none. */
  private void readBack(PoolName pool, String after) {
    home.ask(
        "journal",
        () -> ports.journal().after(pool, after, PAGE),
        (page, failure) -> {
          if (page == null) return;
          page.stream().filter(hints::take).forEach(this::tellHints);
          if (page.size() == PAGE) readBack(pool, page.getLast().id());
        });
  }

  private void tellHints(Entry entry) {
    Region region = entry.region();
    if (region != null) tellHints(entry.pool(), region);
  }

  private void tellHints(PoolName pool, Region region) {
    seats.each(
        pool,
        (seat, lead) -> {
          if (seat.region.equals(region)) tellHint(seat, lead);
        });
  }

  private void tellHint(Seat seat, Seat.Lead lead) {
    hints
        .of(seat.pool, seat.region, ports.time().now())
        .ifPresent(hint -> lead.loop().tell(new Event.Hinted(hint.perSecond(), hint.holds())));
  }

  private void route(Entry entry) {
    if (hints.take(entry)) tellHints(entry);
    switch (entry.kind()) {
      case "region.status" -> neighbour(entry);
      case "store.recovering", "store.ready" -> pools.find(entry.pool()).ifPresent(this::askStore);
      default ->
          seats.each(
              entry.pool(),
              (seat, lead) -> {
                boolean here = entry.region() == null || entry.region().equals(seat.region);
                if (here) lead.loop().tell(new Event.Happened(entry));
              });
    }
  }

  private void neighbour(Entry entry) {
    Region region = entry.region();
    if (region == null) return;
    try {
      int unmet = Integer.parseInt(entry.data().getOrDefault("unmet", "0"));
      long boot = Long.parseLong(entry.data().getOrDefault("boot_ms", "0"));
      PlanDigest plan =
          PlanDigest.read(entry.data().getOrDefault("plan", "")).orElse(PlanDigest.NOTHING);
      board.heard(
          entry.pool(),
          region,
          new RegionBoard.Word(entry.at(), unmet, Duration.ofMillis(boot), plan));
      pools.find(entry.pool()).ifPresent(this::spill);
    } catch (NumberFormatException unreadable) {
      LOG.atWarn().addKeyValue("entry", entry).log("a journal entry that we cannot read");
    }
  }

  private void spill(PoolSpec pool) {
    var onto = Spill.onto(board.unmet(pool.name()), pool.placement(), Atlas.FLY);
    seats.each(
        pool.name(),
        (seat, lead) -> {
          int machines = onto.getOrDefault(seat.region, 0);
          if (machines == seat.spilledIn) return;
          seat.spilledIn = machines;
          lead.loop().tell(new Event.Spilled(machines));
        });
  }
}
