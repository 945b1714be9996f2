// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Recovery;
import cupbear.scheduler.port.StoreTrouble;
import cupbear.scheduler.port.StoreTrouble.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The store of one replica on Redis: all its ports over the same lanes. Any thread. Holds nothing
 * that is not in Redis but connections.
 */
public final class RedisStore implements AutoCloseable {
  private final RedisPlace place;
  private final RedisSettings settings;
  private final String rules;
  private final Meters meters;
  private final boolean isMeasured;
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
    this(place, settings, rules, Meters.NONE);
  }

  public RedisStore(RedisPlace place, RedisSettings settings, StoreRules rules, Meters meters) {
    this.meters = meters;
    this.isMeasured = !meters.equals(Meters.NONE);
    this.place = place;
    this.settings = settings;
    this.rules = words(rules);
  }

  /** The rules as every script gets them. */
  static String words(StoreRules rules) {
    return Stream.of(
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

  /**
   * What the primary of a pool says about itself, for the checks at start. Fails when it cannot be
   * reached.
   */
  public Future<ServerFacts> facts(PoolName pool) {
    Promise<ServerFacts> promise =
        Vertx.currentContext() instanceof ContextInternal context
            ? context.promise()
            : Promise.promise();
    int slot = JedisClusterCRC16.getSlot(RedisLanes.prefix(pool));
    // Asked once in a process's life, so it needs no lane.
    Thread.ofVirtual()
        .name("redis-facts")
        .start(() -> {
          try (RedisLink link = RedisLink.open(place, slot, (int) settings.timeout().toMillis())) {
            promise.complete(ServerFacts.of(place.kind(), link.info()));
          } catch (JedisException e) {
            promise.fail(new StoreTrouble(Kind.UNREACHABLE, String.valueOf(e.getMessage())));
          }
        });
    return promise.future();
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
    Future<Object> answer = to.call(script, all);
    if (isMeasured) time(pool, script, answer);
    return answer;
  }

  private void time(PoolName pool, Script script, Future<Object> answer) {
    long began = System.nanoTime();
    answer.onComplete((value, failure) -> {
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      StoreTrouble.Kind trouble = failure instanceof StoreTrouble known ? known.kind() : null;
      meters.storeCalled(pool, script.name(), trouble, took);
    });
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
