// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.StackPlan;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisAddress;
import cupbear.redis.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** A primary that comes back when another one is, and one that dies with grants of its own. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // the second test kills a server for good
class SentinelIT {
  private static final String POOL = "viewers";
  private static final Pattern REPLICA = Pattern.compile("slave\\d+:ip=([^,]+),port=(\\d+)");

  private static Rig rig;

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(2)
                .withStore(StackPlan.Store.SENTINEL)
                .withPools(Pool.of(POOL, new Bounds("iad", 4, 5))));
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @Test
  @Order(1)
  void primaryThatWasFrozenAndComesBackGrantsNothingTwice() throws Exception {
    rig.whole(POOL);
    RedisProcess frozen = primary();
    Viewing standing = rig.look(POOL);
    Traffic traffic = Traffic.start(rig, POOL, 2);
    try {
      rig.until("traffic flows", () -> traffic.served() >= 2);
      frozen.freeze();
      try {
        rig.until("another one is the primary", () -> !primary().equals(frozen));
        int then = traffic.served();
        rig.until("traffic flows with it: " + traffic, () -> traffic.served() >= then + 3);
      } finally {
        frozen.thaw();
      }
      int later = traffic.served();
      rig.until("and goes on: " + traffic, () -> traffic.served() >= later + 3);
    } finally {
      traffic.end();
    }
    rig.until("the old one obeys the new one", () -> !isPrimary(frozen));
    rig.ledger().assertKept();
    rig.leave(standing);
    rig.whole(POOL);
  }

  @Test
  @Order(2)
  void grantsThatAFailoverLostArePutBackAndNotGivenTwice() throws Exception {
    rig.whole(POOL);
    LocalSentinel sentinel = rig.stack().sentinel().orElseThrow();
    RedisProcess first = primary();
    RedisAddress primary = first.address();
    List<Viewing> looking = new ArrayList<>(List.of(rig.look(POOL)));

    List<RedisAddress> replicas = replicas(primary);
    assertThat(replicas).hasSize(2);
    cutOff(primary, replicas, sentinel.password());
    for (int i = 0; i < 2; i++) looking.add(rig.look(POOL));
    for (RedisAddress each : replicas) {
      assertThat(knows(each, looking.getFirst())).as("it has what came before").isTrue();
      assertThat(knows(each, looking.getLast())).as("and not what came after").isFalse();
    }
    first.kill();
    replicas.forEach(each -> masterAuth(each, sentinel.password()));

    // Everybody who asks now must get a Machine that nobody has.
    for (int i = 0; i < 3; i++) looking.add(rig.look(POOL));
    rig.ledger().assertKept();
    rig.whole(POOL);
    for (Viewing each : looking) {
      assertThat(each.disturbed()).isNull();
      rig.leave(each);
    }
    rig.whole(POOL);
  }

  /** The one that the sentinels name. */
  private static RedisProcess primary() {
    LocalSentinel sentinel = rig.stack().sentinel().orElseThrow();
    HostAndPort any = sentinel.sentinels().iterator().next();
    try (Jedis redis =
        new RedisAddress(any.getHost(), any.getPort(), sentinel.password()).connect()) {
      List<String> named = redis.sentinelGetMasterAddrByName(LocalSentinel.PRIMARY_NAME);
      return Stream.concat(Stream.of(sentinel.firstPrimary()), sentinel.firstReplicas().stream())
          .filter(each -> named.getLast().equals(Integer.toString(each.address().port())))
          .findFirst()
          .orElseThrow();
    }
  }

  private static boolean isPrimary(RedisProcess server) {
    try (Jedis redis = server.address().connect()) {
      return redis.info("replication").contains("role:master");
    }
  }

  private static List<RedisAddress> replicas(RedisAddress primary) {
    try (Jedis redis = primary.connect()) {
      return REPLICA
          .matcher(redis.info("replication"))
          .results()
          .map(found ->
              new RedisAddress(
                  found.group(1), Integer.parseInt(found.group(2)), primary.password()))
          .toList();
    }
  }

  private static boolean knows(RedisAddress replica, Viewing viewing) {
    try (Jedis redis = replica.connect()) {
      return redis.exists("cb:{%s}:session:%s".formatted(POOL, viewing.session().id()));
    }
  }

  /** The replicas get no more writes, and the primary goes on: it believes it needs nobody. */
  private static void cutOff(RedisAddress primary, List<RedisAddress> replicas, String password) {
    try (Jedis redis = primary.connect()) {
      redis.configSet("min-replicas-to-write", "0");
    }
    for (RedisAddress each : replicas) {
      masterAuth(each, password + "-wrong");
      try (Jedis redis = each.connect()) {
        redis.clientKill(new ClientKillParams().type(ClientType.MASTER));
      }
    }
  }

  private static void masterAuth(RedisAddress replica, String password) {
    try (Jedis redis = replica.connect()) {
      redis.configSet("masterauth", password);
    }
  }
}
