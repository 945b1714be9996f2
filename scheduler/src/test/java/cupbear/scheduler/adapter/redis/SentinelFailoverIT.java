// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisProcess;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A primary goes in the middle of use, and Sentinel puts another in its place. */
class SentinelFailoverIT {
  private static final Duration A_FAILOVER = Duration.ofSeconds(60);

  @Test
  void aPromotedServerGrantsNothingBeforeTheReplicasHaveReported() {
    try (LocalSentinel redis = LocalSentinel.start();
        Stage stage = Stage.open(redis.uri(), Stage.HASTY)) {
      stage.warm("m1");
      Grant before = stage.granted("k-before");
      Proof waiting = stage.warm("m2");
      copied(redis.firstPrimary());

      redis.firstPrimary().kill();

      // m2 is warm on the promoted server, and yet nobody gets it.
      assertThat(untilItAnswers(stage, "k-after")).isInstanceOf(ClaimResult.Recovering.class);
      assertThat(get(stage.store.recovery().state(stage.pool)))
          .isInstanceOf(StoreState.Recovering.class);
      stage.mandate = stage.lead(List.of(before));
      assertThat(get(stage.claim("k-after"))).isInstanceOf(ClaimResult.NoneWarm.class);
      provenAgain(stage, waiting);
      Grant after = stage.granted("k-after");
      assertThat(after.machine()).isEqualTo(waiting.machine());
      assertThat(after.epoch()).isGreaterThan(before.epoch());
      assertThat(stage.granted("k-before").session()).isEqualTo(before.session());
      assertThat(get(stage.store.claims().renew(stage.call(before), before.epoch(), null)))
          .isInstanceOf(SessionResult.Alive.class);
      waitersAreStillHeard(stage);
    }
  }

  @Test
  void anOldPrimaryThatWakesUpGrantsNothing() {
    try (LocalSentinel redis = LocalSentinel.start();
        Stage stage = Stage.open(redis.firstPrimary().address().uri(), Stage.HASTY)) {
      stage.warm("m1");
      copied(redis.firstPrimary());

      redis.firstPrimary().freeze();
      await()
          .atMost(A_FAILOVER)
          .until(() -> redis.firstReplicas().stream().anyMatch(SentinelFailoverIT::leads));
      redis.firstPrimary().thaw();
      // What it may grant before it has looked around once, its replica reports to the new primary.
      await().until(() -> hasLookedAround(redis.firstPrimary()));

      // These lanes still lead to the old primary.
      Future<ClaimResult> claim = stage.claim("k-1");
      assertThat(Stage.trouble(claim)).isEqualTo(StoreTrouble.Kind.UNREACHABLE);
      RedisPlace place = RedisPlace.of(redis.uri().toString());
      try (RedisStore other = new RedisStore(place, Stage.HASTY, stage.rules())) {
        await()
            .atMost(A_FAILOVER)
            .ignoreExceptionsInstanceOf(IllegalStateException.class)
            .until(() -> get(other.recovery().state(stage.pool)) != null);
        assertThat(get(other.claims().sessions(stage.pool, null))).isEmpty();
      }
    }
  }

  private static boolean hasLookedAround(RedisProcess server) {
    try (Jedis jedis = server.address().connect()) {
      String info = jedis.info("replication");
      return info.contains("connected_slaves:0") || info.contains("role:slave");
    }
  }

  private static boolean leads(RedisProcess server) {
    try (Jedis jedis = server.address().connect()) {
      return jedis.info("replication").contains("role:master");
    }
  }

  /** What was written so far is on a replica; without this the test would be about another loss. */
  private static void copied(RedisProcess primary) {
    try (Jedis jedis = primary.address().connect()) {
      jedis.set("mark", "here");
      assertThat(jedis.waitReplicas(2, 5_000)).isEqualTo(2);
    }
  }

  /** Asks on and on, as gateways do. Whatever is said on the way, nothing is granted. */
  private static ClaimResult untilItAnswers(Stage stage, String key) {
    return await()
        .atMost(A_FAILOVER)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(() -> get(stage.claim(key)), answer -> true);
  }

  private static void provenAgain(Stage stage, Proof before) {
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    Proof proof = new Proof(before.machine(), before.bootedAt(), now, now);
    assertThat(get(stage.store.book().prove(stage.mandate, proof, Terms.DEFAULT)))
        .isInstanceOf(ProveResult.Warm.class);
  }

  private static void waitersAreStillHeard(Stage stage) {
    ConcurrentLinkedQueue<SessionId> heard = new ConcurrentLinkedQueue<>();
    stage.store.claims().onGrant(grant -> heard.add(grant.session()));
    ClaimResult queued =
        get(stage.store.claims().claim(stage.request("k-wait", Duration.ofMinutes(1))));
    assertThat(queued).isInstanceOf(ClaimResult.Queued.class);
    stage.proveForAWaiter("m3");
    SessionId session = ((ClaimResult.Queued) queued).waiter().session();
    await().untilAsserted(() -> assertThat(heard).contains(session));
  }
}
