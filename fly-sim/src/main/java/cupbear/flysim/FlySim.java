// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim;

import cupbear.flysim.http.Routes;
import cupbear.flysim.http.VertxTimers;
import cupbear.flysim.world.Order;
import cupbear.flysim.world.Reply;
import cupbear.flysim.world.World;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A running simulator: the Fly Machines API over HTTP, its control API beside it. One Vert.x
 * context owns all of its state; the methods here may be called from any thread.
 */
public final class FlySim {
  private final Vertx vertx;
  private final Core core;
  private final String deployment;
  private final FlySimConfig config;
  private final FaultBoard faults;

  private FlySim(Vertx vertx, Core core, String deployment, FlySimConfig config) {
    this.vertx = vertx;
    this.core = core;
    this.deployment = deployment;
    this.config = config;
    this.faults = new FaultBoard(this);
  }

  /** Fails when the port is taken, or when the preset of the config is wrong, saying what is. */
  public static Future<FlySim> start(Vertx vertx, FlySimConfig config) {
    Core core = new Core(config);
    return vertx.deployVerticle(core).map(id -> new FlySim(vertx, core, id, config));
  }

  /** The base of the API, without {@code /v1}. */
  public String url() {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    return "http://" + host + ":" + Objects.requireNonNull(core.server).actualPort();
  }

  /** What goes wrong, for those who run in the same process. */
  public FaultBoard faults() {
    return faults;
  }

  /** Ends every connection and every viewer. */
  public Future<Void> close() {
    return vertx.undeploy(deployment);
  }

  Future<Reply> control(Order order, Map<String, String> path, String body) {
    Promise<Reply> promise = Promise.promise();
    Objects.requireNonNull(core.home)
        .runOnContext(ignored -> {
          try {
            promise.complete(Objects.requireNonNull(core.world).control(order, path, "", body));
          } catch (RuntimeException mistake) {
            promise.fail(mistake);
          }
        });
    return promise.future();
  }

  /** Lives on the one context; timers set there end with it. */
  private static final class Core extends VerticleBase {
    private final FlySimConfig config;
    private @Nullable Viewers viewers;
    private volatile @Nullable World world;
    private volatile @Nullable HttpServer server;
    private volatile @Nullable Context home;

    Core(FlySimConfig config) {
      this.config = config;
    }

    @Override
    public Future<?> start() {
      home = context;
      Viewers inside = config.viewers().get();
      viewers = inside;
      try {
        World made =
            new World(config.world(), new VertxTimers(vertx, context, Clock.systemUTC()), inside);
        world = made;
        return vertx
            .createHttpServer()
            .requestHandler(Routes.router(vertx, made))
            .listen(config.port(), config.host())
            .onSuccess(listening -> server = listening)
            .onFailure(taken -> inside.close());
      } catch (RuntimeException wrong) {
        inside.close();
        return Future.failedFuture(wrong);
      }
    }

    @Override
    public Future<?> stop() {
      Viewers inside = Objects.requireNonNull(viewers);
      // Ends sockets and waits for it, which no event loop may do.
      return vertx.executeBlocking(() -> {
        inside.close();
        return true;
      });
    }
  }
}
