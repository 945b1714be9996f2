// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static cupbear.scheduler.adapter.SimulatedFly.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.adapter.fly.FlyMachines;
import cupbear.scheduler.adapter.probe.Reach;
import cupbear.scheduler.adapter.probe.ViewerProbes;
import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.adapter.time.RandomIds;
import cupbear.scheduler.adapter.time.SystemTime;
import cupbear.scheduler.app.Answer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.Credentials;
import cupbear.scheduler.app.GrantMemory;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.app.SessionRequest;
import cupbear.scheduler.app.Supervisor;
import cupbear.scheduler.config.Configuration;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas over a real Redis, Fly's API and real viewers, whose wall clocks are hours apart and
 * jump: nobody's lease ends early or late by that, nothing is made or destroyed.
 */
@ExtendWith(RedisExtension.class)
class ClockJumpsIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Caller GATEWAY = new Caller("gateway");

  /** This computer's clock, and so much ahead of it as the test says. */
  private static final class WrongTime implements Time {
    private final SystemTime right;
    private volatile Duration ahead;

    WrongTime(SystemTime right, Duration ahead) {
      this.right = right;
      this.ahead = ahead;
    }

    @Override
    public Instant now() {
      return right.now().plus(ahead);
    }

    @Override
    public long nanos() {
      return right.nanos();
    }

    @Override
    public Timer after(Duration delay, Runnable then) {
      return right.after(delay, then);
    }
  }

  @TempDir private Path folder;
  private final LocalRedis redis;
  private SimulatedFly fly = new SimulatedFly(config -> config);
  private @Nullable Replica early;
  private @Nullable Replica late;

  ClockJumpsIT(LocalRedis redis) {
    this.redis = redis;
  }

  /** A scheduler without listeners, and with a clock of its own. */
  private final class Replica implements AutoCloseable {
    private final ReplicaId self;
    private final WrongTime time;
    private final RedisStore store;
    private final ViewerProbes probes;
    private final Supervisor supervisor;
    private final Assignments assignments;
    private final RegionBoard board;

    Replica(String name, Duration ahead, Settings settings) {
      self = new ReplicaId(name);
      time = new WrongTime(new SystemTime(fly.vertx), ahead);
      store =
          new RedisStore(
              RedisPlace.of(redis.address().uri().toString()),
              RedisSettings.DEFAULT,
              StoreRules.DEFAULT);
      probes =
          new ViewerProbes(
              Reach.loopback(settings.environment(), Reach.Detour.NONE),
              pool -> Optional.ofNullable(settings.pools().get(pool)).map(each -> each.probes()));
      FlyMachines.Scope scope =
          new FlyMachines.Scope(
              SimulatedFly.APP, SimulatedFly.OURS, any -> FlyMachines.Scope.STOP_TIMEOUT);
      Ports ports =
          new Ports(
              store.claims(),
              store.book(),
              store.leadership(),
              store.recovery(),
              store.journal(),
              Map.of(SimulatedFly.APP, new FlyMachines(fly.client, scope, time::now)),
              probes,
              (pool, machine, bootedAt) -> new Credentials.Made("viewer:secret", "sealed"),
              time,
              new RandomIds(new SecureRandom(), time::now),
              Meters.NONE);
      Pools pools = new Pools(PoolSpecs.of(settings));
      GrantMemory memory = new GrantMemory(time);
      board = new RegionBoard(time);
      LoopThreads threads = get(LoopThreads.start(fly.vertx, pools));
      supervisor = new Supervisor(self, pools, ports, threads, memory, board);
      assignments = new Assignments(pools, ports, memory, board);
      supervisor.start();
    }

    Grant assign(String key) {
      SessionRequest request =
          new SessionRequest(
              SimulatedFly.POOL, List.of(), null, "acme", null, Map.of(), key, "print");
      Answer answer = get(assignments.assign(request, GATEWAY).answer());
      assertThat(answer).isInstanceOf(Answer.Assigned.class);
      return ((Answer.Assigned) answer).grant();
    }

    void renew(Grant grant) {
      SessionResult result =
          get(assignments.renew(grant.pool(), grant.session(), GATEWAY, grant.epoch(), null));
      assertThat(result).isInstanceOf(SessionResult.Alive.class);
    }

    /** When its loop made its newest pass; the epoch when it does not lead. */
    Instant passedAt() {
      return board
          .status(SimulatedFly.POOL, SimulatedFly.IAD)
          .map(each -> each.at())
          .orElse(Instant.EPOCH);
    }

    @Override
    public void close() {
      get(supervisor.drain());
      probes.close();
      store.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("cupbear.yaml"),
            """
            environment: demo
            fly: {app: %s, org: personal, api: "%s"}
            redis: {url: "%s"}
            listen: {api: "127.0.0.1:0", ops: "127.0.0.1:0"}
            reconcile: {every: 500ms}
            pools:
              viewers:
                template: {version: "7", image: viewer}
                regions:
                  iad: {warm_min: 2, warm_max: 2}
            """
                .formatted(
                    SimulatedFly.APP,
                    fly.sim.url(),
                    "redis://%s:%d".formatted(redis.address().host(), redis.address().port())));
    Configuration read = Configuration.load(file, Map.of());
    assertThat(read).isInstanceOf(Configuration.Valid.class);
    Settings settings = ((Configuration.Valid) read).settings();
    early = new Replica("early", Duration.ofHours(-1), settings);
    late = new Replica("late", Duration.ofHours(1), settings);
  }

  @AfterEach
  void end() {
    if (early != null) early.close();
    if (late != null) late.close();
    fly.close();
  }

  @Test
  void sessionsLeadershipAndMachinesOutliveEveryJump() {
    Replica one = java.util.Objects.requireNonNull(early);
    Replica other = java.util.Objects.requireNonNull(late);
    await().atMost(SOON).ignoreExceptions().until(() -> warm(one).size() >= 2);
    Grant fromOne = one.assign("first-of-all-00001");
    Grant fromOther = other.assign("second-of-all-0001");
    assertThat(fromOne.machine()).isNotEqualTo(fromOther.machine());
    await().atMost(SOON).ignoreExceptions().until(() -> warm(one).size() >= 2);
    Set<MachineId> before = ids(one);
    String leader = leader(one);

    for (Duration jump :
        List.of(Duration.ofHours(5), Duration.ofDays(-2), Duration.ofSeconds(40))) {
      one.time.ahead = one.time.ahead.plus(jump);
      other.time.ahead = other.time.ahead.minus(jump);
      passes(one, other, 3);
      // Each is renewed by whoever did not grant it.
      one.renew(fromOther);
      other.renew(fromOne);
    }
    assertThat(leader(one)).as("who leads").isEqualTo(leader);
    assertThat(ids(one)).as("nothing was made or destroyed").isEqualTo(before);
    assertThat(warm(one)).as("nothing warm was doubted").hasSize(2);
    Grant next = one.assign("after-the-jumps-001");
    assertThat(Set.of(fromOne.machine(), fromOther.machine())).doesNotContain(next.machine());
  }

  /** The loop, wherever it runs, goes on passing after the jump. */
  private static void passes(Replica one, Replica other, int times) {
    for (int i = 0; i < times; i++) {
      Instant a = one.passedAt();
      Instant b = other.passedAt();
      await().atMost(SOON).until(() -> !one.passedAt().equals(a) || !other.passedAt().equals(b));
    }
  }

  private static List<Booked> book(Replica replica) {
    return get(replica.store.book().snapshot(SimulatedFly.POOL, SimulatedFly.IAD)).machines();
  }

  private static Set<MachineId> warm(Replica replica) {
    return book(replica).stream()
        .filter(each -> each.state().standing() == Standing.WARM)
        .map(Booked::id)
        .collect(Collectors.toSet());
  }

  private static Set<MachineId> ids(Replica replica) {
    return book(replica).stream().map(Booked::id).collect(Collectors.toSet());
  }

  private static String leader(Replica replica) {
    return get(replica.store.leadership().leader(SimulatedFly.POOL, SimulatedFly.IAD))
        .map(ReplicaId::value)
        .orElse("nobody");
  }
}
