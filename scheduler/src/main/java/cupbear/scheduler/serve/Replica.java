// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.api.ApiConfig;
import cupbear.scheduler.api.ApiParts;
import cupbear.scheduler.api.ApiServer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.EventFeed;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.GrantMemory;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.app.Signals;
import cupbear.scheduler.app.Steering;
import cupbear.scheduler.app.Supervisor;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.model.ReplicaId;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running scheduler: API, loops and everything they need from the world. Any thread may call;
 * what it holds may be lost with the process, since Redis and Fly have all of it.
 */
final class Replica {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private final Outfit outfit;
  private final Supervisor supervisor;
  private final ApiServer server;
  private final TokenWatch tokens;
  private final GatewayRegions gateways;

  private Replica(Outfit outfit, Supervisor supervisor, GatewayRegions gateways, ApiServer server) {
    this.outfit = outfit;
    this.supervisor = supervisor;
    this.gateways = gateways;
    this.server = server;
    this.tokens = new TokenWatch(outfit.vertx(), outfit.tokens());
  }

  /** Serves and leads as soon as it can; fails with a sentence that says what to change. */
  static Future<Replica> start(Outfit outfit) {
    Pools pools = new Pools(PoolSpecs.of(outfit.settings().get()));
    return LoopThreads.start(outfit.vertx(), pools)
        .compose(threads -> start(outfit, pools, threads));
  }

  private static Future<Replica> start(Outfit outfit, Pools pools, LoopThreads threads) {
    Ports ports = outfit.ports();
    GrantMemory memory = new GrantMemory(ports.time());
    RegionBoard board = new RegionBoard(ports.time());
    ReplicaId self = outfit.self();
    Supervisor supervisor = new Supervisor(self, pools, ports, threads, memory, board);
    Assignments assignments = new Assignments(pools, ports, memory, board);
    Signals signals = new Signals(ports);
    Fleet fleet = new Fleet(pools, ports, board);
    GatewayRegions gateways =
        GatewayRegions.of(
            outfit.vertx(), outfit.settings().get().fly().gateways(), InetAddress::getAllByName);
    ApiParts parts =
        new ApiParts(
            new ApiParts.Serving(
                assignments,
                fleet,
                new Steering(fleet, ports),
                signals,
                new EventFeed(pools, ports),
                outfit.settings()::reload,
                gateways),
            outfit.trusting(),
            outfit.showing(Readiness.checks(pools, supervisor.storeHealth())),
            InstantSource.system());
    outfit
        .settings()
        .onChange((before, after) -> {
          pools.swap(PoolSpecs.of(after));
          supervisor.declared();
          outfit.telemetry().declared(fleet, board);
        });
    outfit.telemetry().bind(fleet, board, ports.time());
    return ApiServer.start(outfit.vertx(), ApiConfig.of(outfit.settings().get()), parts)
        .map(server -> {
          supervisor.start();
          return new Replica(outfit, supervisor, gateways, server);
        });
  }

  ReplicaId self() {
    return outfit.self();
  }

  int port() {
    return server.port();
  }

  int opsPort() {
    return server.opsPort();
  }

  CurrentSettings settings() {
    return outfit.settings();
  }

  /**
   * Leaves in good order: new requests are turned away, leadership is handed over, requests under
   * way finish, and only then does it let go of its ports.
   */
  Future<Void> drain() {
    // Both at once: whoever waits in the queue is served sooner by the next leader than by nobody.
    tokens.close();
    gateways.close();
    Future<Void> requests = server.drain();
    return supervisor
        .drain()
        .transform(any -> requests)
        .transform(any -> server.close())
        .transform(any -> outfit.close())
        .onComplete(any -> LOG.atInfo().addKeyValue("replica", outfit.self()).log("drained"));
  }
}
