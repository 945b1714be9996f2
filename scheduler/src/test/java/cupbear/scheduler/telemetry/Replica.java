// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.adapter.memory.MemoryConnection;
import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.adapter.time.RandomIds;
import cupbear.scheduler.adapter.time.SystemTime;
import cupbear.scheduler.api.ApiConfig;
import cupbear.scheduler.api.ApiParts;
import cupbear.scheduler.api.ApiServer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.EventFeed;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.GrantMemory;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.app.Signals;
import cupbear.scheduler.app.Steering;
import cupbear.scheduler.app.Supervisor;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.Recovery;
import cupbear.scheduler.security.BindGuard;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.ListenAddress;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.Secret;
import cupbear.scheduler.security.TokenDirectory;
import cupbear.scheduler.security.TokenFile;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * One whole replica: real loops, real HTTP, real clock; a store without wires, a Fly that obeys
 * ({@link Yard}) and viewers that are always well unless a test says otherwise.
 */
final class Replica implements AutoCloseable {
  static final PoolName POOL = new PoolName("viewers");
  private static final Settings.Limits LIMITS =
      new Settings.Limits(
          16 * 1024, 16, 8 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(60), 100_000, 100_000);

  final Telemetry telemetry;
  final Yard yard = new Yard();
  final Pools pools;
  final Fleet fleet;
  final RegionBoard board;
  final Vertx vertx;
  final ApiServer server;
  final Secret token;
  final Journal journal;
  volatile Verdict verdict = Verdict.HEALTHY;

  private final Supervisor supervisor;
  private final MemoryConnection connection;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  Replica(Path folder, Telemetry telemetry, PoolSpec spec) {
    this.telemetry = telemetry;
    this.vertx = telemetry.vertx().build();
    MemoryStore store = new MemoryStore(Instant::now, StoreRules.DEFAULT);
    this.connection = store.connect();
    SystemTime time = new SystemTime(vertx);
    SecureRandom random = new SecureRandom();
    KeyRing keys = KeyRing.of(KeyRing.newSecret(random));
    SealedCredentials seals = new SealedCredentials(keys, random);
    this.journal = locked(store, Journal.class, connection.journal());
    Ports ports =
        new Ports(
            locked(store, Claims.class, connection.claims()),
            locked(store, Book.class, connection.book()),
            locked(store, Leadership.class, connection.leadership()),
            locked(store, Recovery.class, connection.recovery()),
            journal,
            Map.of(spec.app(), yard),
            this::probe,
            Logins.of(seals),
            time,
            new RandomIds(new SecureRandom(), InstantSource.system()),
            telemetry.meters());
    this.pools = new Pools(List.of(spec));
    this.board = new RegionBoard(time);
    this.fleet = new Fleet(pools, ports, board);
    GrantMemory memory = new GrantMemory(time);
    Assignments assignments = new Assignments(pools, ports, memory, board);
    this.supervisor = new Supervisor(new ReplicaId("a"), pools, ports, threads(), memory, board);
    TokenFile file = new TokenFile(folder.resolve("tokens.json"));
    TokenDirectory directory = new TokenDirectory(file);
    this.token = token(file, directory, random);
    ApiParts parts =
        new ApiParts(
            new ApiParts.Serving(
                assignments,
                fleet,
                new Steering(fleet, ports),
                new Signals(ports),
                new EventFeed(pools, ports),
                CurrentSettings.Outcome.Unchanged::new,
                ApiParts.Locator.NOWHERE),
            new ApiParts.Trusting(directory, new Receipts(keys), seals),
            new ApiParts.Showing(List.of(), telemetry::scrape, telemetry.apiMeters()),
            InstantSource.system());
    this.server = get(ApiServer.start(vertx, config(), parts));
    supervisor.start();
    telemetry.bind(fleet, board, time);
  }

  private static ApiConfig config() {
    return new ApiConfig(
        ListenAddress.of("127.0.0.1:0"),
        ListenAddress.of("127.0.0.1:0"),
        new BindGuard(InetAddress::getAllByName, true),
        LIMITS,
        Duration.ofSeconds(5),
        1,
        3);
  }

  private static Secret token(TokenFile file, TokenDirectory directory, SecureRandom random) {
    try {
      TokenFile.Wish wish =
          new TokenFile.Wish("gateway-1", Role.GATEWAY, Set.of(), Instant.now(), Optional.empty());
      Secret text = file.create(wish, random).text();
      directory.refresh();
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Supervisor.Threads threads() {
    return new Supervisor.Threads() {
      @Override
      public ExecutorService home() {
        return thread;
      }

      @Override
      public ExecutorService loop(PoolName pool, Region region) {
        return thread;
      }
    };
  }

  private Future<Probes.Answer> probe(
      PoolName pool, MachineId machine, String address, Probes.Depth depth) {
    return Future.succeededFuture(new Probes.Answer(verdict, depth, "as the test says"));
  }

  /** The store without wires has one thread; here it is asked by several, one after another. */
  private static <T> T locked(Object lock, Class<T> port, T inner) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              synchronized (lock) {
                try {
                  return method.invoke(inner, arguments);
                } catch (InvocationTargetException failed) {
                  throw failed.getCause();
                }
              }
            }));
  }

  Scrape scrape() {
    return Scrape.of(telemetry.scrape());
  }

  double warm(String region) {
    return scrape().value("warm_available", "pool", "viewers", "region", region);
  }

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError("no answer", failure);
    }
  }

  @Override
  public void close() {
    get(server.close());
    get(supervisor.drain());
    telemetry.close();
    get(vertx.close());
    connection.close();
    thread.shutdownNow();
  }
}
