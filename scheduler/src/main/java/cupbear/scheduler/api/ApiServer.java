// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.security.BindGuard;
import cupbear.scheduler.security.ListenAddress;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The API and ops listeners of one replica. Closing it turns new requests away, lets those under
 * way finish within their time, and only then lets go of the ports; the ops listener tells of it
 * until the end. Any thread.
 */
public final class ApiServer {
  private static final AtomicInteger ANY = new AtomicInteger();

  private final Vertx vertx;
  private final ApiConfig config;
  private final InFlight inFlight;
  private final Lines lines;
  private final List<String> deployed = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger apiPort = new AtomicInteger();
  private final AtomicInteger opsPort = new AtomicInteger();
  private final long sweeper;

  private ApiServer(Vertx vertx, ApiConfig config, InFlight inFlight) {
    this.vertx = vertx;
    this.config = config;
    this.inFlight = inFlight;
    this.lines = new Lines(config);
    this.sweeper = vertx.setPeriodic(lines.sweepEvery().toMillis(), any -> lines.sweep());
  }

  /** Listens; fails with a sentence that says what to change when it may not, or cannot. */
  public static Future<ApiServer> start(Vertx vertx, ApiConfig config, ApiParts parts) {
    InFlight inFlight = new InFlight();
    ApiServer server = new ApiServer(vertx, config, inFlight);
    Pages pages = new Pages(parts.showing(), inFlight);
    List<Route> routes = Routes.api(vertx, config, parts, inFlight, pages);
    return server
        .listen(config.api(), routes, parts, config.loops(), server.apiPort)
        .compose(any -> server.listen(config.ops(), pages.opsRoutes(), parts, 1, server.opsPort))
        .map(any -> server)
        .recover(failure -> server.undeploy().transform(any -> Future.failedFuture(failure)));
  }

  private Future<Void> listen(
      ListenAddress address, List<Route> routes, ApiParts parts, int loops, AtomicInteger port) {
    Door door = new Door(parts, config, inFlight, lines);
    parts.showing().meters().routes(routes.stream().map(Route::name).toList());
    // Health questions are no work under way: a drain must not wait for whoever watches it.
    InFlight counted = routes.stream().anyMatch(Routes::isWork) ? inFlight : new InFlight();
    Listener.Share share =
        new Listener.Share(config, routes, door, counted, lines, parts.showing().meters());
    return vertx
        .executeBlocking(() -> config.guard().check(address))
        .compose(verdict ->
            switch (verdict) {
              case BindGuard.Verdict.Refused refused ->
                  Future.failedFuture(new IllegalStateException(refused.why()));
              case BindGuard.Verdict.Fine fine ->
                  open(share, fine.address().getHostAddress(), address.port(), loops, port)
                      .recover(failure -> Future.failedFuture(cannot(address, failure)));
            });
  }

  /** The system says why and not where. */
  private static Throwable cannot(ListenAddress address, Throwable failure) {
    return failure instanceof IOException
        ? new IllegalStateException(
            "cannot listen on %s: %s; free it, or choose another port in listen.api and listen.ops"
                .formatted(address, failure.getMessage()),
            failure)
        : failure;
  }

  /** The first takes the port, whichever it is; the others share it. */
  private Future<Void> open(
      Listener.Share share, String host, int port, int loops, AtomicInteger bound) {
    // Vert.x shares "any free port" among those that ask for the same negative one.
    int asked = port == 0 ? ANY.decrementAndGet() : port;
    Future<Void> opened = deploy(new Listener(share, host, asked, bound::set));
    for (int i = 1; i < loops; i++) {
      opened = opened.compose(any -> deploy(new Listener(share, host, asked, same -> {})));
    }
    return opened;
  }

  private Future<Void> deploy(Listener listener) {
    return vertx.deployVerticle(listener).onSuccess(deployed::add).mapEmpty();
  }

  /** Where the API is reached. */
  public int port() {
    return apiPort.get();
  }

  /** Where health and metrics are. */
  public int opsPort() {
    return opsPort.get();
  }

  /** Requests under way. */
  public int inFlight() {
    return inFlight.count();
  }

  /** Not ready any more; ends when nothing is under way, or the time for that is over. */
  public Future<Void> drain() {
    Promise<Void> done = Promise.promise();
    long limit = vertx.setTimer(config.finishWithin().toMillis(), late -> done.tryComplete());
    inFlight
        .drain()
        .onComplete(any -> {
          vertx.cancelTimer(limit);
          done.tryComplete();
        });
    return done.future();
  }

  /** Drains, then stops listening; who still waits is cut off, and its place is freed. */
  public Future<Void> close() {
    return drain().compose(any -> undeploy());
  }

  private Future<Void> undeploy() {
    vertx.cancelTimer(sweeper);
    List<Future<Void>> all = List.copyOf(deployed).stream().map(vertx::undeploy).toList();
    deployed.clear();
    return Future.join(all).mapEmpty();
  }
}
