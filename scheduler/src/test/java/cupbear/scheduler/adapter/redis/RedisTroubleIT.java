// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

/** What the lanes do when Redis forgets, hangs, dies and comes back. */
@ExtendWith(RedisExtension.class)
class RedisTroubleIT {
  private static final Region IAD = new Region("iad");
  private static final ReplicaId SELF = new ReplicaId("replica-1");
  private static final RedisSettings HASTY =
      new RedisSettings(2, 16, Duration.ofMillis(300), Duration.ofSeconds(1), false);

  private final PoolName pool = new PoolName("p" + UUID.randomUUID().toString().substring(0, 8));
  private final LocalRedis redis;
  private final RedisStore store;
  private Mandate mandate;

  RedisTroubleIT(LocalRedis redis) {
    this.redis = redis;
    this.store =
        new RedisStore(RedisPlace.of(redis.address().uri().toString()), HASTY, StoreRules.DEFAULT);
  }

  @BeforeEach
  void start() {
    mandate = lead();
  }

  @AfterEach
  void close() {
    redis.process().thaw();
    store.close();
  }

  private Mandate lead() {
    get(store.recovery().state(pool));
    StoreState state =
        get(store.recovery().report(pool, new ReplicaReport(SELF, Set.of(SELF), List.of())));
    assertThat(state).isInstanceOf(StoreState.Ready.class);
    Mandate won =
        get(store.leadership().campaign(pool, IAD, SELF, Duration.ofMinutes(1))).orElseThrow();
    get(store.recovery().report(won, new RegionReport(List.of(), Set.of())));
    return won;
  }

  @Test
  void aMachineAndASessionWalkThroughTheirLives() {
    warm("m1");
    ClaimResult.Granted granted = (ClaimResult.Granted) get(store.claims().claim(request("k-1")));
    assertThat(granted.grant().machine()).isEqualTo(new MachineId("m1"));
    SessionCall call =
        new SessionCall(pool, granted.grant().session(), granted.grant().caller(), Terms.DEFAULT);
    assertThat(get(store.claims().confirm(call))).isInstanceOf(SessionResult.Alive.class);
    assertThat(get(store.claims().renew(call, granted.grant().epoch(), null)))
        .isInstanceOf(SessionResult.Alive.class);
    assertThat(get(store.claims().release(call))).isInstanceOf(SessionResult.Over.class);
    assertThat(get(store.book().snapshot(pool, IAD)).machines())
        .singleElement()
        .satisfies(
            machine -> assertThat(machine.state()).isInstanceOf(MachineState.Draining.class));
  }

  @Test
  void aForgottenScriptIsLoadedAgainWithoutAnybodyNoticing() {
    warm("m1");
    try (Jedis jedis = redis.address().connect()) {
      jedis.scriptFlush();
    }
    assertThat(get(store.claims().claim(request("k-1")))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void aServerThatHangsLeavesTheCallerUnsureAndTheSameKeyGetsTheSameSession() {
    warm("m1");
    redis.process().freeze();
    assertThat(trouble(store.claims().claim(request("k-1")))).isEqualTo(StoreTrouble.Kind.UNSURE);
    redis.process().thaw();
    ClaimResult.Granted first = (ClaimResult.Granted) answered("k-1");
    ClaimResult.Granted again = (ClaimResult.Granted) answered("k-1");
    assertThat(again.grant().session()).isEqualTo(first.grant().session());
    assertThat(again.replayed()).isTrue();
  }

  @Test
  void aWipedServerGrantsNothingBeforeItWasRebuilt() {
    warm("m1");
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
    assertThat(get(store.claims().claim(request("k-1"))))
        .isInstanceOf(ClaimResult.Recovering.class);
    assertThat(get(store.recovery().state(pool))).isInstanceOf(StoreState.Recovering.class);
    assertThat(get(store.claims().claim(request("k-1"))))
        .isInstanceOf(ClaimResult.Recovering.class);
    mandate = lead();
    warm("m2");
    assertThat(get(store.claims().claim(request("k-1")))).isInstanceOf(ClaimResult.Granted.class);
  }

  private ClaimResult answered(String key) {
    return await()
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(
            () -> get(store.claims().claim(request(key))), ClaimResult.Granted.class::isInstance);
  }

  private void warm(String id) {
    MachineId machine = new MachineId(id);
    Instant booted = Instant.ofEpochMilli(System.currentTimeMillis());
    Booked booked =
        new Booked(
            machine,
            "name-" + id,
            IAD,
            new TemplateVersion("7"),
            Keep.ALWAYS,
            booted,
            null,
            new MachineState.Provisioning(booted),
            null);
    assertThat(get(store.book().move(mandate, new Move.Enrol(booked))))
        .isInstanceOf(Moved.Done.class);
    assertThat(get(store.book().move(mandate, new Move.Boot(machine, "fdaa::1"))))
        .isInstanceOf(Moved.Done.class);
    assertThat(
            get(
                store
                    .book()
                    .prove(mandate, new Proof(machine, booted, booted, booted), Terms.DEFAULT)))
        .isInstanceOf(ProveResult.Warm.class);
  }

  private ClaimRequest request(String key) {
    return new ClaimRequest(
        pool,
        new Caller("gw"),
        "acme",
        key,
        "fp",
        new Waiter(new SessionId("ses_" + UUID.randomUUID().toString().substring(0, 13)), "m-1"),
        List.of(IAD),
        Duration.ZERO,
        Terms.DEFAULT);
  }

  private static StoreTrouble.Kind trouble(Future<?> future) {
    await().until(future::isComplete);
    assertThat(future.cause()).isInstanceOf(StoreTrouble.class);
    return ((StoreTrouble) future.cause()).kind();
  }

  private static <T> T get(Future<T> future) {
    await().until(future::isComplete);
    if (future.failed()) throw new IllegalStateException(future.cause());
    return future.result();
  }
}
