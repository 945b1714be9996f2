// SPDX-License-Identifier: Apache-2.0
package cupbear.load.stack;

import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.viewer.LoopbackViewers;
import cupbear.flysim.viewer.ViewerSettings;
import cupbear.redis.LocalRedis;
import cupbear.redis.LocalSentinel;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.TokenFile;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Simulator and viewers in this JVM, a real Redis, and schedulers in processes of their own, all on
 * loopback and all gone with {@link #close}. Its owner's thread calls; nothing survives.
 */
public final class LocalStack implements AutoCloseable {
  private static final long CLOSE_WITHIN_S = 20;

  private volatile StackPlan plan;
  private final Vertx vertx;
  private final Path folder;
  private final Fly fly;
  private final Redis redis;
  private final Map<String, String> secrets;
  private final String gatewayToken;
  private final String operatorToken;
  private final List<SchedulerProcess> schedulers = new ArrayList<>();

  /** Processes that do not serve yet. */
  private final List<SchedulerProcess.Starting> starting = new ArrayList<>();

  /** Either kind of Redis, as the schedulers see it. */
  private record Redis(
      String url, String password, @Nullable LocalRedis alone, @Nullable LocalSentinel watched) {
    private static Redis start(StackPlan.Store kind) {
      return switch (kind) {
        case STANDALONE -> {
          LocalRedis redis = LocalRedis.start();
          yield new Redis(
              "redis://%s:%d".formatted(redis.address().host(), redis.address().port()),
              redis.address().password(),
              redis,
              null);
        }
        case SENTINEL -> {
          LocalSentinel redis = LocalSentinel.start();
          String seeds =
              redis.sentinels().stream().map(Object::toString).collect(Collectors.joining(","));
          yield new Redis(
              "redis-sentinel://%s/%s".formatted(seeds, LocalSentinel.PRIMARY_NAME),
              redis.password(),
              null,
              redis);
        }
      };
    }

    private void close() {
      if (alone != null) alone.close();
      if (watched != null) watched.close();
    }
  }

  /** The simulator and what runs inside its Machines. */
  private record Fly(FlySim sim, LoopbackViewers viewers) {
    private static Fly start(Vertx vertx, StackPlan plan) throws IOException, InterruptedException {
      LoopbackViewers viewers = new LoopbackViewers(ViewerSettings.standard());
      FlySimConfig config =
          FlySimConfig.standard()
              .withSpeed(plan.speed())
              .withPreset(plan.preset())
              .withViewers(() -> viewers);
      FlySim sim = await(FlySim.start(vertx, config));
      if (plan.pace() > 1) {
        await(sim.faults().switches(new JsonObject().put("rate_limit_factor", plan.pace())));
      }
      return new Fly(sim, viewers);
    }
  }

  private LocalStack(StackPlan plan, Vertx vertx, Path folder, Fly fly, Redis redis)
      throws IOException {
    this.plan = plan;
    this.vertx = vertx;
    this.folder = folder;
    this.fly = fly;
    this.redis = redis;
    SecureRandom random = new SecureRandom();
    this.secrets =
        Map.of(
            "CUPBEAR_FLY_TOKEN", FlySimConfig.TOKEN,
            "CUPBEAR_SECRET_KEY", KeyRing.newSecret(random).reveal(),
            "CUPBEAR_REDIS_PASSWORD", redis.password());
    TokenFile tokens = new TokenFile(folder.resolve("tokens.json"));
    this.gatewayToken = token(tokens, Role.GATEWAY, random);
    this.operatorToken = token(tokens, Role.OPERATOR, random);
    declare(plan);
  }

  /** Starts everything; returns when all schedulers serve, which is before the pool is warm. */
  public static LocalStack start(StackPlan plan) throws IOException, InterruptedException {
    LocalStack stack = furnish(plan);
    try {
      for (int i = 1; i <= plan.replicas(); i++) stack.starting.add(stack.launch(i));
      while (!stack.starting.isEmpty()) {
        stack.schedulers.add(stack.starting.getFirst().await());
        stack.starting.removeFirst();
      }
      return stack;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      stack.close();
      throw failed;
    }
  }

  /** All but the schedulers; what has begun ends when the rest cannot begin. */
  private static LocalStack furnish(StackPlan plan) throws IOException, InterruptedException {
    Vertx vertx = Vertx.vertx();
    Path folder = Files.createTempDirectory("cupbear-stack-");
    Redis redis = null;
    try {
      redis = Redis.start(plan.store());
      return new LocalStack(plan, vertx, folder, Fly.start(vertx, plan), redis);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      if (redis != null) redis.close();
      delete(folder);
      await(vertx.close());
      throw failed;
    }
  }

  private static String token(TokenFile file, Role role, SecureRandom random) throws IOException {
    TokenFile.Wish wish =
        new TokenFile.Wish("demo-" + role.word(), role, Set.of(), Instant.now(), Optional.empty());
    return file.create(wish, random).text().reveal();
  }

  /** Another configuration, of the same size; schedulers read it when they start or reload. */
  public void declare(StackPlan next) throws IOException {
    Files.writeString(folder.resolve("cupbear.yaml"), next.yaml(fly.sim().url(), redis.url()));
    plan = next;
  }

  private SchedulerProcess.Starting launch(int number) throws IOException {
    Map<String, String> environment = new HashMap<>(secrets);
    int ahead = number - 1;
    if (plan.port() != 0) {
      environment.put("CUPBEAR_LISTEN_API", "127.0.0.1:" + (plan.port() + ahead));
    }
    if (plan.opsPort() != 0) {
      environment.put("CUPBEAR_LISTEN_OPS", "127.0.0.1:" + (plan.opsPort() + ahead));
    }
    return SchedulerProcess.start(number, folder, environment, plan.overlay());
  }

  /** Another process in the place of one that ended. */
  public SchedulerProcess restart(SchedulerProcess ended) throws IOException, InterruptedException {
    SchedulerProcess next = launch(ended.number()).await();
    schedulers.set(schedulers.indexOf(ended), next);
    return next;
  }

  public StackPlan plan() {
    return plan;
  }

  public FlySim fly() {
    return fly.sim();
  }

  /** What really happened inside the Machines. */
  public LoopbackViewers viewers() {
    return fly.viewers();
  }

  public Vertx vertx() {
    return vertx;
  }

  public List<SchedulerProcess> schedulers() {
    return List.copyOf(schedulers);
  }

  public String redisUrl() {
    return redis.url();
  }

  public String redisPassword() {
    return redis.password();
  }

  /** The one server; there is none to name when sentinels choose it. */
  public Optional<LocalRedis> redis() {
    return Optional.ofNullable(redis.alone());
  }

  public Optional<LocalSentinel> sentinel() {
    return Optional.ofNullable(redis.watched());
  }

  public String gatewayToken() {
    return gatewayToken;
  }

  public String operatorToken() {
    return operatorToken;
  }

  /** What an operator sees, asked of the first scheduler that answers. */
  public OperatorView view() {
    return new OperatorView(
        schedulers.stream().filter(SchedulerProcess::isAlive).map(SchedulerProcess::api).toList(),
        operatorToken);
  }

  @Override
  public void close() {
    schedulers.forEach(SchedulerProcess::drain);
    try {
      for (SchedulerProcess.Starting each : starting) each.kill();
      for (SchedulerProcess each : schedulers) each.awaitEnd();
      await(fly.sim().close());
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      redis.close();
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }

  static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(CLOSE_WITHIN_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(String.valueOf(e.getMessage()), e);
    }
  }
}
