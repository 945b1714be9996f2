// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import com.sun.management.OperatingSystemMXBean;
import cupbear.redis.LocalRedis;
import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.TokenFile;
import cupbear.scheduler.telemetry.Logs;
import cupbear.scheduler.telemetry.Telemetry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/**
 * What an assignment costs on this machine: the real path next to the two limits that it cannot
 * pass (the script alone, HTTP alone) and next to the plain way of calling Redis. Every round runs
 * each of them once on a freshly filled pool; filling is not measured. All share the cores, so the
 * ratios say more than the rates.
 */
final class AssignBench implements AutoCloseable {
  static final PoolName POOL = new PoolName("bench");

  /** Proofs stay young while it runs, and nothing is journalled twice over. */
  static final StoreRules RULES =
      new StoreRules(
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofSeconds(20),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          StoreRules.DEFAULT.expireMost(),
          StoreRules.DEFAULT.waitsKept(),
          StoreRules.DEFAULT.journalMax());

  private static final RedisSettings FILLING =
      new RedisSettings(2, 65_536, Duration.ofSeconds(20), Duration.ofSeconds(30), false);

  /** What is measured, in the order of a round. */
  enum What {
    RAW("claim.lua alone, pipelined", 1),
    CONSTANT("HTTP alone, a constant", 256),
    REAL_50("the real path", 50),
    REAL_256("the real path", 256),
    PLAIN_50("one Jedis call per request", 50),
    PLAIN_256("one Jedis call per request", 256);

    final String title;
    final int connections;

    What(String title, int connections) {
      this.title = title;
      this.connections = connections;
    }
  }

  private final Telemetry telemetry =
      Telemetry.start(new Telemetry.Build("bench", "none", "none"), Map.of());
  private final OperatingSystemMXBean own =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Vertx vertx = telemetry.vertx().build();
  private final OutputStream nowhere;
  private final Runnable chronicleAsBefore;
  private final LocalRedis redis = LocalRedis.start();
  private final Path folder;
  private final String token;
  private final RedisStore filling;
  private final RedisStore serving;
  private final RawClaims raw;
  private final PlainClaims plain;
  private final Shelf shelf;
  private final Map<What, HttpLoad> loads = new EnumMap<>(What.class);
  private long serial;

  AssignBench(int loops) throws IOException {
    RedisPlace place = RedisPlace.of(redis.address().uri().toString());
    SecureRandom random = new SecureRandom();
    KeyRing keys = KeyRing.of(KeyRing.newSecret(random));
    this.folder = Files.createTempDirectory("cupbear-bench-");
    // Each line is made and handed to the system, as a server does, and read by nobody.
    this.nowhere = Files.newOutputStream(Path.of("/dev/null"));
    this.chronicleAsBefore = Logs.chronicleTo(nowhere);
    TokenFile tokens = new TokenFile(folder.resolve("tokens.json"));
    this.token =
        tokens
            .create(
                new TokenFile.Wish(
                    "bench", Role.GATEWAY, Set.of(), Instant.now(), Optional.empty()),
                random)
            .text()
            .reveal();
    this.filling = new RedisStore(place, FILLING, RULES);
    this.serving = new RedisStore(place, RedisSettings.DEFAULT, RULES, telemetry.meters());
    this.raw = new RawClaims(redis.address(), RULES);
    this.shelf = new Shelf(filling, POOL, Terms.DEFAULT, new SealedCredentials(keys, random));
    this.plain = new PlainClaims(serving.claims(), jedis(), raw.replicationId(), RULES, vertx);
    Replica.House house = new Replica.House(POOL, Terms.DEFAULT, keys, tokens, loops);
    Replica real = Waits.get(Replica.start(vertx, house, serving, telemetry, claims -> claims));
    Replica other = Waits.get(Replica.start(vertx, house, serving, telemetry, any -> plain));
    loads.put(What.CONSTANT, load(ConstantServer.start(vertx, loops).port()));
    loads.put(What.REAL_50, load(real.port()));
    loads.put(What.REAL_256, load(real.port()));
    loads.put(What.PLAIN_50, load(other.port()));
    loads.put(What.PLAIN_256, load(other.port()));
  }

  private HttpLoad load(int port) {
    return new HttpLoad(port, token, POOL.value());
  }

  private RedisClient jedis() {
    ConnectionPoolConfig connections = new ConnectionPoolConfig();
    connections.setMaxTotal(PlainClaims.WORKERS);
    connections.setMaxIdle(PlainClaims.WORKERS);
    return RedisClient.builder()
        .hostAndPort(redis.address().host(), redis.address().port())
        .clientConfig(
            DefaultJedisClientConfig.builder().password(redis.address().password()).build())
        .poolConfig(connections)
        .build();
  }

  /** Runs so many rounds, after one that is not counted. */
  AssignResult run(int rounds, int requests) {
    Samples samples = new Samples();
    round(Math.max(requests / 2, 1), new Samples());
    for (int i = 0; i < rounds; i++) round(requests, samples);
    return samples.result(rounds, requests);
  }

  private void round(int requests, Samples samples) {
    for (What what : What.values()) {
      HttpLoad load = loads.get(what);
      if (what != What.CONSTANT) fill(requests);
      long firstKey = serial;
      serial += requests;
      double before = cpuMicros();
      if (load == null) {
        double perSecond = raw.perSecond(POOL, Terms.DEFAULT, requests, firstKey);
        samples.raw(perSecond, (cpuMicros() - before) / requests);
        continue;
      }
      HttpLoad.Outcome outcome = load.run(what.connections, requests, firstKey);
      if (outcome.refused() > 0) {
        throw new IllegalStateException(
            "%d of %d requests were refused (%s), such as: %s"
                .formatted(outcome.refused(), requests, what.title, outcome.refusal()));
      }
      samples.http(what, outcome, (cpuMicros() - before) / requests);
    }
  }

  /** What this process and Redis have used so far. */
  private double cpuMicros() {
    return own.getProcessCpuTime() / 1e3 + raw.cpuMicros();
  }

  private void fill(int machines) {
    wipe();
    shelf.fill(machines);
    // The lanes that serve have to hear of the new generation, as a replica does every second.
    Waits.get(serving.recovery().state(POOL));
  }

  private void wipe() {
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
  }

  /** The server's cost of a claim in a small and in a large pool, by turns. */
  AssignResult.Growth growth(int small, int large, int rounds) {
    wipe();
    Pond few = new Pond(new PoolName("small"), small);
    Pond many = new Pond(new PoolName("large"), large);
    for (int i = 0; i < 3; i++) {
      few.measure();
      many.measure();
    }
    few.micros.clear();
    many.micros.clear();
    for (int i = 0; i < rounds; i++) {
      few.measure();
      many.measure();
    }
    double first = Samples.median(few.micros);
    double second = Samples.median(many.micros);
    return new AssignResult.Growth(small, first, large, second, second / first);
  }

  /** A pool from which a few are taken and given back, over and over. */
  private final class Pond {
    private static final int TAKEN = 64;
    private final PoolName pool;
    final List<Double> micros = new java.util.ArrayList<>();

    Pond(PoolName pool, int machines) {
      this.pool = pool;
      SealedCredentials seals =
          new SealedCredentials(
              KeyRing.of(KeyRing.newSecret(new SecureRandom())), new SecureRandom());
      new Shelf(filling, pool, Terms.DEFAULT, seals).fill(machines);
    }

    void measure() {
      long first = serial;
      serial += TAKEN;
      micros.add(raw.microsEach(pool, Terms.DEFAULT, TAKEN, first));
      for (int i = 0; i < TAKEN; i++) {
        Waits.get(
            filling
                .claims()
                .leave(
                    pool,
                    RawClaims.waiter(pool, first + i),
                    cupbear.scheduler.model.WaitResult.Leaving.HUNG_UP));
      }
    }
  }

  @Override
  public void close() throws IOException {
    Waits.get(vertx.close());
    raw.close();
    plain.close();
    serving.close();
    filling.close();
    redis.close();
    telemetry.close();
    chronicleAsBefore.run();
    nowhere.close();
    Files.deleteIfExists(folder.resolve("tokens.json"));
    try (var left = Files.list(folder)) {
      for (Path each : left.toList()) Files.delete(each);
    }
    Files.delete(folder);
  }
}
