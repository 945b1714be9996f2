// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.get;
import static cupbear.scheduler.adapter.redis.Stage.trouble;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.redis.LocalRedis;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisProcess;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.port.StoreTrouble;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strict durability on a primary with two replicas, and what servers say about themselves. */
@ExtendWith(RedisExtension.class)
class RedisDurabilityIT {
  private static final RedisSettings STRICT =
      new RedisSettings(2, 16, Duration.ofMillis(600), Duration.ofSeconds(2), true);

  private final LocalSentinel redis;

  RedisDurabilityIT(LocalSentinel redis) {
    this.redis = redis;
  }

  @AfterEach
  void thaw() {
    redis.firstReplicas().forEach(RedisProcess::thaw);
  }

  @Test
  @DisplayName("one replica is enough to answer")
  void oneReplica() {
    try (Stage stage = Stage.open(redis.uri(), STRICT)) {
      redis.firstReplicas().getFirst().freeze();
      stage.warm("m1");
      assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Granted.class);
    }
  }

  @Test
  @DisplayName("no replica has it: unsure, never granted; the same key gets that session later")
  void noReplica() {
    try (Stage stage = Stage.open(redis.uri(), STRICT)) {
      stage.warm("m1");
      stage.warm("m2");
      redis.firstReplicas().forEach(RedisProcess::freeze);
      assertThat(trouble(stage.claim("k-1"))).isEqualTo(StoreTrouble.Kind.UNSURE);

      redis.firstReplicas().forEach(RedisProcess::thaw);
      Grant later = stage.answered("k-1").grant();
      List<SessionView> sessions = get(stage.store.claims().sessions(stage.pool, null));
      assertThat(sessions).extracting(SessionView::session).containsExactly(later.session());
    }
  }

  @Test
  @DisplayName("a primary behind Sentinel tells its replicas and that it refuses to write alone")
  void factsOfASentinel() {
    try (Stage stage = Stage.open(redis.uri(), STRICT)) {
      ServerFacts facts = get(stage.store.facts(stage.pool));
      assertThat(facts.replicas()).isEqualTo(2);
      assertThat(facts.refusesAlone()).isTrue();
      assertThat(facts.version()).startsWith("7.");
      assertThat(facts.replicationId()).hasSize(40);
      assertThat(facts.concerns(true)).isEmpty();
    }
  }

  @Test
  @DisplayName("a standalone server has no replica to be strict with")
  void factsOfAStandalone(LocalRedis alone) {
    try (Stage stage = Stage.open(alone.address().uri(), Stage.HASTY)) {
      ServerFacts facts = get(stage.store.facts(stage.pool));
      assertThat(facts.refusesAlone()).isFalse();
      assertThat(facts.whenFull()).isEqualTo("noeviction");
      assertThat(facts.concerns(false)).isEmpty();
      assertThat(facts.concerns(true)).singleElement().asString().contains("add a replica");
    }
  }
}
