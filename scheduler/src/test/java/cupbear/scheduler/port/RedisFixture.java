// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static java.nio.charset.StandardCharsets.UTF_8;

import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.StoreRules;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.params.ClientKillParams.SkipMe;
import redis.clients.jedis.params.RestoreParams;

/** The store on a real Redis, with a real clock: a test waits for what has to run out. */
final class RedisFixture implements StoreFixture {
  private static final StoreRules RULES =
      new StoreRules(
          Duration.ofSeconds(2),
          Duration.ofSeconds(6),
          // Long enough for a slow machine to look before it is over.
          Duration.ofSeconds(3),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          StoreRules.DEFAULT.expireMost(),
          StoreRules.DEFAULT.waitsKept(),
          StoreRules.DEFAULT.journalMax());

  private final RedisServers servers;
  private final List<RedisStore> stores = new ArrayList<>();
  private Jedis clock;

  RedisFixture(RedisServers servers) {
    this.servers = servers;
    this.clock = servers.primary().connect();
    wipe();
    openLongAgo();
  }

  /**
   * The pool's first generation begins with a grace for leases, which no test of anything else
   * should have to wait for.
   */
  private void openLongAgo() {
    StoreRules hasty =
        new StoreRules(
            RULES.guacdTrust(),
            RULES.rdpTrust(),
            Duration.ofMillis(1),
            RULES.withdrawnKept(),
            RULES.replicaKept(),
            RULES.expireMost(),
            RULES.waitsKept(),
            RULES.journalMax());
    try (RedisStore first = store(hasty)) {
      var unused = StoreContract.get(first.recovery().state(StoreContract.POOL));
    }
  }

  private RedisStore store(StoreRules rules) {
    return new RedisStore(RedisPlace.of(servers.url().toString()), RedisSettings.DEFAULT, rules);
  }

  @Override
  public Replica replica() {
    RedisStore store = store(RULES);
    stores.add(store);
    return new Replica(
        store.claims(), store.book(), store.recovery(), store.leadership(), store.journal());
  }

  @Override
  public StoreRules rules() {
    return RULES;
  }

  @Override
  public Instant now() {
    List<String> time = clock.time();
    long micros = Long.parseLong(time.get(1));
    return Instant.ofEpochMilli(Long.parseLong(time.get(0)) * 1000 + micros / 1000);
  }

  @Override
  public void pass(Duration time) {
    Instant then = now().plus(time);
    Awaitility.await()
        .atMost(time.plusSeconds(20))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> !now().isBefore(then));
  }

  @Override
  public Duration soon() {
    return Duration.ofMillis(600);
  }

  @Override
  public void wipe() {
    servers.wipe();
  }

  /** A replica that came this far, as a copy of all keys; it takes over with an id of its own. */
  @Override
  public Runnable standby() {
    TreeMap<String, byte[]> values = new TreeMap<>();
    TreeMap<String, Long> lives = new TreeMap<>();
    try (Jedis jedis = servers.primary().connect()) {
      for (String key : jedis.keys("cb:*")) {
        values.put(key, jedis.dump(key));
        lives.put(key, Math.max(0, jedis.pttl(key)));
      }
    }
    return () -> {
      try (Jedis jedis = servers.primary().connect()) {
        jedis.flushAll();
        values.forEach((key, value) ->
            jedis.restore(
                key.getBytes(UTF_8),
                lives.getOrDefault(key, 0L),
                value,
                RestoreParams.restoreParams()));
        servers.rename().accept(jedis);
        // A real failover ends every connection.
        jedis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(SkipMe.YES));
      }
      clock.close();
      clock = servers.primary().connect();
      stores.forEach(RedisFixture::reconnect);
    };
  }

  /** Each lane finds out by a call that is lost; here it is one that does not matter. */
  private static void reconnect(RedisStore store) {
    for (int i = 0; i < 2 * RedisSettings.DEFAULT.lanes(); i++) {
      Future<?> lost = store.journal().after(StoreContract.POOL, "", 1);
      Awaitility.await().pollInterval(Duration.ofMillis(2)).until(lost::isComplete);
    }
  }

  @Override
  public void close() {
    clock.close();
    stores.forEach(RedisStore::close);
  }
}
