// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.adapter.time.RandomIds;
import cupbear.scheduler.adapter.time.SystemTime;
import cupbear.scheduler.api.ApiConfig;
import cupbear.scheduler.api.ApiParts;
import cupbear.scheduler.api.ApiServer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.Credentials;
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
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.security.BindGuard;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.ListenAddress;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.TokenDirectory;
import cupbear.scheduler.security.TokenFile;
import cupbear.scheduler.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What a replica serves gateways with, on the loopback address: the real API with tokens, the real
 * request path, the real store. There is no Fly behind it: a {@link Shelf} plays the leader.
 */
final class Replica {
  static final Region REGION = new Region("iad");
  static final TemplateVersion TEMPLATE = new TemplateVersion("7");

  /** A single caller may ask as fast as it can: limits are measured elsewhere. */
  private static final int NO_LIMIT = 10_000_000;

  /** Proofs are as young as they were when the Machine was put on the shelf. */
  private static final Duration LONG = Duration.ofHours(1);

  /**
   * What replicas of one house share.
   *
   * @param loops event loops of the API
   */
  record House(PoolName pool, Terms terms, KeyRing keys, TokenFile tokens, int loops) {}

  private final Assignments assignments;
  private final GrantMemory memory;
  private final ApiServer server;

  private Replica(Assignments assignments, GrantMemory memory, ApiServer server) {
    this.assignments = assignments;
    this.memory = memory;
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param telemetry counts as a server does; its Vert.x is the one to give
   * @param claims puts something else in the place of the store's claims, or leaves them
   */
  static Future<Replica> start(
      Vertx vertx,
      House house,
      RedisStore store,
      Telemetry telemetry,
      UnaryOperator<Claims> claims) {
    SystemTime time = new SystemTime(vertx);
    Ports ports =
        new Ports(
            claims.apply(store.claims()),
            store.book(),
            store.leadership(),
            store.recovery(),
            store.journal(),
            Map.of(),
            (pool, machine, address, depth) ->
                Future.succeededFuture(new Probes.Answer(Verdict.HEALTHY, depth, "")),
            (pool, machine, bootedAt) -> new Credentials.Made("", ""),
            time,
            new RandomIds(new SecureRandom(), InstantSource.system()),
            telemetry.meters());
    Pools pools = new Pools(List.of(spec(house)));
    RegionBoard board = new RegionBoard(time);
    Fleet fleet = new Fleet(pools, ports, board);
    telemetry.declared(fleet, board);
    GrantMemory memory = new GrantMemory(time);
    Assignments assignments = new Assignments(pools, ports, memory, board);
    TokenDirectory tokens = new TokenDirectory(house.tokens());
    tokens.refresh();
    ApiParts.Serving serving =
        new ApiParts.Serving(
            assignments,
            fleet,
            new Steering(fleet, ports),
            new Signals(ports),
            new EventFeed(pools, ports),
            CurrentSettings.Outcome.Unchanged::new,
            ApiParts.Locator.NOWHERE);
    ApiParts parts =
        new ApiParts(
            serving,
            new ApiParts.Trusting(
                tokens,
                new Receipts(house.keys()),
                new SealedCredentials(house.keys(), new SecureRandom())),
            new ApiParts.Showing(List.of(), telemetry::scrape, telemetry.apiMeters()),
            InstantSource.system());
    return ApiServer.start(vertx, config(house), parts)
        .map(server -> new Replica(assignments, memory, server));
  }

  private static ApiConfig config(House house) {
    Settings.Limits limits =
        new Settings.Limits(
            16 * 1024,
            NO_LIMIT,
            8 * 1024,
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            NO_LIMIT,
            NO_LIMIT);
    return new ApiConfig(
        ListenAddress.of("127.0.0.1:0"),
        ListenAddress.of("127.0.0.1:0"),
        new BindGuard(InetAddress::getAllByName, true),
        limits,
        Duration.ofSeconds(5),
        house.loops(),
        1);
  }

  private static PoolSpec spec(House house) {
    Template template =
        new Template(TEMPLATE, "viewer@sha256:0", new Template.Guest("shared", 2, 2048), Map.of());
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
        house.pool(),
        "cupbear-viewer",
        new Placement.Rules(List.of(REGION), Map.of(), null),
        Map.of(REGION, desired),
        Policy.DEFAULT,
        house.terms(),
        new PoolSpec.Serving(Duration.ofSeconds(5), Duration.ofSeconds(30), LONG, LONG, 4822, 3389),
        PoolSpec.Handling.DEFAULT,
        Map.of());
  }

  int port() {
    return server.port();
  }

  /** The grants that went through it: what a store that lost data has to be told. */
  GrantMemory memory() {
    return memory;
  }

  /** Requests that stand in the queue. */
  int waiting() {
    return assignments.waiting();
  }

  Future<Void> close() {
    return server.close();
  }
}
