// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Recovery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The store of one replica on Redis: all its ports over the same lanes. Any thread. Holds nothing
 * that is not in Redis but connections.
 */
public final class RedisStore implements AutoCloseable {
  private final RedisPlace place;
  private final RedisSettings settings;
  private final String rules;
  private final Map<PoolName, RedisLanes> lanes = new ConcurrentHashMap<>();

  /** Which generation of each pool this replica works with; it learns a new one by reporting. */
  private final Map<PoolName, Long> generations = new ConcurrentHashMap<>();

  private final Map<PoolName, RedisEar> ears = new ConcurrentHashMap<>();
  private final RedisClaims claims = new RedisClaims(this);
  private final RedisBook book = new RedisBook(this);
  private final RedisRecovery recovery = new RedisRecovery(this);
  private final RedisLeadership leadership = new RedisLeadership(this);
  private final RedisJournal journal = new RedisJournal(this);

  public RedisStore(RedisPlace place, RedisSettings settings, StoreRules rules) {
    this.place = place;
    this.settings = settings;
    this.rules =
        Stream.of(
                rules.hold().toMillis(),
                rules.withdrawnKept().toMillis(),
                rules.replicaKept().toMillis(),
                rules.guacdTrust().toMillis(),
                rules.rdpTrust().toMillis(),
                (long) rules.expireMost(),
                (long) rules.waitsKept(),
                (long) rules.journalMax())
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
  }

  public Claims claims() {
    return claims;
  }

  public Book book() {
    return book;
  }

  public Recovery recovery() {
    return recovery;
  }

  public Leadership leadership() {
    return leadership;
  }

  public Journal journal() {
    return journal;
  }

  Future<Object> call(PoolName pool, Script script, List<String> args) {
    RedisLanes to = lanes.get(pool);
    if (to == null) {
      to = lanes.computeIfAbsent(pool, name -> new RedisLanes(place, name, settings));
      // Whoever calls a pool may have to hear of grants in it.
      ear(pool);
    }
    List<String> all = new ArrayList<>(args.size() + 2);
    Long generation = generations.get(pool);
    all.add(generation == null ? "" : generation.toString());
    all.add(rules);
    all.addAll(args);
    return to.call(script, all);
  }

  /** An answer of looking at the state: what is ready is taken as it is. */
  void seen(PoolName pool, StoreState state) {
    if (state instanceof StoreState.Ready) generations.put(pool, state.generation());
    else generations.putIfAbsent(pool, state.generation());
  }

  /** This replica has told what it remembers. */
  void reported(PoolName pool, StoreState state) {
    generations.put(pool, state.generation());
  }

  /** Listens to what is published in a pool; one connection per pool, opened at its first call. */
  RedisEar ear(PoolName pool) {
    return ears.computeIfAbsent(pool, name -> new RedisEar(place, name, settings, claims, journal));
  }

  /** Calls that wait to be sent, over all pools. */
  public int waiting() {
    return lanes.values().stream().mapToInt(RedisLanes::waiting).sum();
  }

  @Override
  public void close() {
    ears.values().forEach(RedisEar::close);
    lanes.values().forEach(RedisLanes::close);
  }
}
