// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.IAD;
import static cupbear.scheduler.adapter.redis.Stage.get;
import static cupbear.scheduler.adapter.redis.Stage.trouble;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreTrouble;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

/** What the lanes do when Redis forgets, hangs, dies and comes back. */
@ExtendWith(RedisExtension.class)
class RedisTroubleIT {
  private final LocalRedis redis;
  private final Stage stage;

  RedisTroubleIT(LocalRedis redis) {
    this.redis = redis;
    this.stage = Stage.open(redis.address().uri(), Stage.HASTY);
  }

  @AfterEach
  void close() {
    redis.process().thaw();
    stage.close();
  }

  @Test
  void aMachineAndASessionWalkThroughTheirLives() {
    stage.warm("m1");
    Grant grant = stage.granted("k-1");
    assertThat(grant.machine()).isEqualTo(new MachineId("m1"));
    SessionCall call = stage.call(grant);
    assertThat(get(stage.store.claims().confirm(call))).isInstanceOf(SessionResult.Alive.class);
    assertThat(get(stage.store.claims().renew(call, grant.epoch(), null)))
        .isInstanceOf(SessionResult.Alive.class);
    assertThat(get(stage.store.claims().release(call))).isInstanceOf(SessionResult.Over.class);
    assertThat(get(stage.store.book().snapshot(stage.pool, IAD)).machines())
        .singleElement()
        .satisfies(
            machine -> assertThat(machine.state()).isInstanceOf(MachineState.Draining.class));
  }

  @Test
  void aForgottenScriptIsLoadedAgainWithoutAnybodyNoticing() {
    stage.warm("m1");
    try (Jedis jedis = redis.address().connect()) {
      jedis.scriptFlush();
    }
    assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void aServerThatHangsLeavesTheCallerUnsureAndTheSameKeyGetsTheSameSession() {
    stage.warm("m1");
    redis.process().freeze();
    assertThat(trouble(stage.claim("k-1"))).isEqualTo(StoreTrouble.Kind.UNSURE);
    redis.process().thaw();
    ClaimResult.Granted first = stage.answered("k-1");
    ClaimResult.Granted again = stage.answered("k-1");
    assertThat(again.grant().session()).isEqualTo(first.grant().session());
    assertThat(again.replayed()).isTrue();
  }

  @Test
  void aWipedServerGrantsNothingBeforeItWasRebuilt() {
    stage.warm("m1");
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
    assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Recovering.class);
    assertThat(get(stage.store.recovery().state(stage.pool)))
        .isInstanceOf(StoreState.Recovering.class);
    assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Recovering.class);
    stage.mandate = stage.lead(List.of());
    stage.warm("m2");
    assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Granted.class);
  }
}
