// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.StackPlan;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** A primary that dies with grants which no replica has. */
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
    rig.close();
  }

  @Test
  void grantsThatAFailoverLostArePutBackAndNotGivenTwice() throws Exception {
    rig.whole(POOL);
    LocalSentinel sentinel = rig.stack().sentinel().orElseThrow();
    RedisAddress primary = sentinel.firstPrimary().address();
    List<Viewing> looking = new ArrayList<>(List.of(rig.look(POOL)));

    List<RedisAddress> replicas = replicas(primary);
    assertThat(replicas).hasSize(2);
    cutOff(primary, replicas, sentinel.password());
    for (int i = 0; i < 2; i++) looking.add(rig.look(POOL));
    for (RedisAddress each : replicas) {
      assertThat(knows(each, looking.getFirst())).as("it has what came before").isTrue();
      assertThat(knows(each, looking.getLast())).as("and not what came after").isFalse();
    }
    sentinel.firstPrimary().kill();
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
