// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.adapter.time.RandomIds;
import cupbear.scheduler.adapter.time.SystemTime;
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
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.security.BindGuard;
import cupbear.scheduler.security.Credentials;
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
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A real server with everything behind it but Fly: the test plays the leader, and makes Machines
 * warm by hand.
 */
final class House implements AutoCloseable {
  static final PoolName POOL = new PoolName("viewers");
  static final Region IAD = new Region("iad");
  static final Region LHR = new Region("lhr");
  static final String PASSWORD = "canary-of-a-password";
  private static final ReplicaId SELF = new ReplicaId("a");
  private static final Settings.Limits LIMITS =
      new Settings.Limits(
          16 * 1024, 16, 8 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(60), 100_000, 100_000);

  final Vertx vertx = Vertx.vertx();
  final Map<String, Boolean> checks = new ConcurrentHashMap<>(Map.of("store", true));

  /** Where gateways are, by address. */
  final Map<String, Region> gateways = new ConcurrentHashMap<>();

  volatile CurrentSettings.Outcome reload = new CurrentSettings.Outcome.Unchanged();
  volatile @Nullable RuntimeException bug;

  private final Store store;
  private final Map<Region, Mandate> mandates = new ConcurrentHashMap<>();
  private final Map<Role, Secret> tokens = new EnumMap<>(Role.class);
  private final SecureRandom random = new SecureRandom();
  private final KeyRing keys = KeyRing.of(KeyRing.newSecret(random));
  private final SealedCredentials seals = new SealedCredentials(keys, random);
  private final TokenFile tokenFile;
  private final TokenDirectory directory;
  final Terms terms;
  final Assignments assignments;
  final ApiServer server;
  final RegionBoard board;
  private final List<Route> routes = new java.util.ArrayList<>();

  House(Path folder, Store store) {
    this(folder, store, Terms.DEFAULT, config -> config);
  }

  House(Path folder, Store store, Terms terms, UnaryOperator<ApiConfig> more) {
    this.store = store;
    this.terms = terms;
    this.tokenFile = new TokenFile(folder.resolve("tokens.json"));
    this.directory = new TokenDirectory(tokenFile);
    for (Role role : Role.values()) tokens.put(role, token(role.word() + "-1", role, Set.of()));
    lead();
    SystemTime time = new SystemTime(vertx);
    Ports ports =
        new Ports(
            store.claims(),
            store.book(),
            store.leadership(),
            store.recovery(),
            store.journal(),
            Map.of(),
            House::healthy,
            (pool, machine, booted) -> new cupbear.scheduler.app.Credentials.Made("", ""),
            time,
            new RandomIds(new SecureRandom(), InstantSource.system()),
            Meters.NONE);
    Pools pools = new Pools(List.of(spec(terms)));
    board = new RegionBoard(time);
    Fleet fleet = new Fleet(pools, ports, board);
    this.assignments = new Assignments(pools, ports, new GrantMemory(time), board);
    ApiParts parts =
        new ApiParts(
            new ApiParts.Serving(
                assignments,
                fleet,
                new Steering(fleet, ports),
                new Signals(ports),
                new EventFeed(pools, ports),
                this::reloaded,
                address -> Optional.ofNullable(gateways.get(address))),
            new ApiParts.Trusting(directory, new Receipts(keys), seals),
            new ApiParts.Showing(
                List.of(() -> new ReadyCheck.Finding(isFine("store"), "store reachable")),
                () -> "warm_available 1\n",
                ApiMeters.NONE),
            InstantSource.system());
    ApiConfig config =
        new ApiConfig(
            ListenAddress.of("127.0.0.1:0"),
            ListenAddress.of("127.0.0.1:0"),
            new BindGuard(InetAddress::getAllByName, true),
            LIMITS,
            Duration.ofSeconds(25),
            1,
            3);
    Pages pages = new Pages(parts.showing(), new InFlight());
    routes.addAll(Routes.api(vertx, config, parts, new InFlight(), pages));
    routes.addAll(pages.opsRoutes());
    this.server = get(ApiServer.start(vertx, more.apply(config), parts));
  }

  /** Everything that can be asked for, on both listeners. */
  List<Route> routes() {
    return routes;
  }

  private CurrentSettings.Outcome reloaded() {
    RuntimeException broken = bug;
    if (broken != null) throw broken;
    return reload;
  }

  private boolean isFine(String check) {
    return checks.getOrDefault(check, false);
  }

  private static Future<Probes.Answer> healthy(
      PoolName pool, MachineId machine, String address, Probes.Depth depth) {
    return Future.succeededFuture(new Probes.Answer(Verdict.HEALTHY, depth, ""));
  }

  static ApiConfig with(ApiConfig config, Settings.Limits limits) {
    return new ApiConfig(
        config.api(),
        config.ops(),
        config.guard(),
        limits,
        config.finishWithin(),
        config.loops(),
        config.streamsMost());
  }

  private static PoolSpec spec(Terms terms) {
    Template template =
        new Template(
            new TemplateVersion("7"),
            "viewer@sha256:0",
            new Template.Guest("shared", 2, 2048),
            Map.of());
    Desired desired =
        new Desired(
            template,
            new Desired.Bounds(2, 4, 4),
            true,
            false,
            Desired.AfterSession.RECYCLE,
            null,
            Map.of(),
            Set.of(),
            Set.of());
    return new PoolSpec(
        POOL,
        "cupbear-viewer",
        new Placement.Rules(List.of(IAD, LHR), Map.of(), null),
        Map.of(IAD, desired, LHR, desired),
        Policy.DEFAULT,
        terms,
        PoolSpec.Serving.DEFAULT,
        PoolSpec.Handling.DEFAULT,
        Map.of("gpu", "false"));
  }

  /** Tells the store what this replica remembers (nothing), and leads: also after a loss. */
  void lead() {
    get(store.recovery().state(POOL));
    get(store.recovery().report(POOL, new ReplicaReport(SELF, Set.of(SELF), List.of())));
    for (Region region : List.of(IAD, LHR)) {
      Mandate mandate =
          get(store.leadership().campaign(POOL, region, SELF, Duration.ofHours(1))).orElseThrow();
      mandates.put(region, mandate);
      get(store.recovery().report(mandate, new RegionReport(List.of(), Set.of())));
    }
  }

  /** One more token; it works at once. */
  Secret token(String name, Role role, Set<PoolName> pools) {
    try {
      TokenFile.Wish wish = new TokenFile.Wish(name, role, pools, Instant.now(), Optional.empty());
      Secret text = tokenFile.create(wish, random).text();
      directory.refresh();
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String token(Role role) {
    return java.util.Objects.requireNonNull(tokens.get(role)).reveal();
  }

  /** A Machine that turns warm now; it goes to the first waiter, if there is one. */
  void warm(String id, Region region) {
    Instant boot = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    MachineId machine = new MachineId(id);
    Mandate mandate = java.util.Objects.requireNonNull(mandates.get(region));
    Booked booked =
        new Booked(
            machine,
            "viewers-" + id,
            region,
            new TemplateVersion("7"),
            Keep.ALWAYS,
            boot,
            null,
            new MachineState.Provisioning(boot),
            null);
    String sealed =
        seals.seal(
            new Credentials("viewer", Secret.of(PASSWORD)),
            new SealedCredentials.Binding(POOL, machine, Long.toString(boot.toEpochMilli())));
    get(store.book().move(mandate, new Move.Enrol(booked)));
    get(store.book().move(mandate, new Move.Boot(machine, "fdaa::" + id.length())));
    get(store.book().move(mandate, new Move.Stage(machine, boot, sealed)));
    Instant now = Instant.now();
    get(store.book().prove(mandate, new Proof(machine, boot, now, now), terms));
  }

  /** The Machine of a session dies under it. */
  LoseResult lose(String machine, String session, long epoch) {
    return get(
        store
            .book()
            .lose(
                java.util.Objects.requireNonNull(mandates.get(IAD)),
                new MachineId(machine),
                new SessionId(session),
                new Epoch(epoch),
                terms));
  }

  void warm(String... ids) {
    for (String id : ids) warm(id, IAD);
  }

  /** Destroyed, and out of the book. */
  void forget(String id) {
    Mandate mandate = java.util.Objects.requireNonNull(mandates.get(IAD));
    get(store.book().move(mandate, new Move.Condemn(new MachineId(id))));
    get(store.book().move(mandate, new Move.Forget(new MachineId(id))));
  }

  /** What a loop would write about a Machine in iad. */
  void write(EntryKind kind, String id, Map<String, String> data) {
    Entry entry =
        new Entry(
            "",
            Instant.now(),
            kind.word(),
            POOL,
            IAD,
            new MachineId(id),
            null,
            null,
            "as the test says",
            new TreeMap<>(data));
    get(store.journal().append(POOL, List.of(entry)));
  }

  Store store() {
    return store;
  }

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw new AssertionError("failed: " + failure.getCause(), failure.getCause());
    } catch (InterruptedException | TimeoutException failure) {
      throw new AssertionError("no answer", failure);
    }
  }

  @Override
  public void close() {
    get(server.close());
    get(vertx.close());
    store.close().run();
  }
}
