// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's share of a port: turns what comes in into {@link Exchange}s and sends them to
 * their route. Whatever Vert.x itself would refuse is refused in the API's own words.
 */
final class Listener extends VerticleBase {
  private static final int[] OWN_ERRORS = {400, 404, 405, 406, 413, 414, 415, 500, 501, 503};

  /** Room for the method and the version around the longest address. */
  private static final int LINE_MORE = 2048;

  private static final String KEY = "cupbear.exchange";

  /** What all event loops of one port share. */
  record Share(
      ApiConfig config,
      List<Route> routes,
      Door door,
      InFlight inFlight,
      Lines lines,
      ApiMeters meters) {}

  private final Share share;
  private final String host;
  private final int port;
  private final IntConsumer bound;

  Listener(Share share, String host, int port, IntConsumer bound) {
    this.share = share;
    this.host = host;
    this.port = port;
    this.bound = bound;
  }

  @Override
  public Future<?> start() {
    HttpServer server =
        vertx
            .createHttpServer(options())
            .connectionHandler(share.lines()::opened)
            .invalidRequestHandler(this::unreadable)
            .requestHandler(router());
    return server.listen(port, host).onSuccess(open -> bound.accept(open.actualPort()));
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setMaxInitialLineLength(ApiConfig.URI_MOST + LINE_MORE)
        .setMaxHeaderSize(share.config().limits().headerBytes())
        .setHttp2ClearTextEnabled(false)
        .setCompressionSupported(false)
        .setDecompressionSupported(false);
  }

  private Router router() {
    Router router = Router.router(vertx);
    router.route().handler(this::limit);
    for (Route route : share.routes()) {
      router
          .route(route.method(), route.webPath())
          .handler(web -> share.door().enter(exchange(web), web, route));
    }
    router.route().handler(this::nothingHere);
    for (int status : OWN_ERRORS) router.errorHandler(status, this::ownError);
    return router;
  }

  private Exchange begin(HttpServerRequest request) {
    Exchange exchange = new Exchange(request, vertx.getOrCreateContext());
    share.inFlight().enter(exchange);
    share.lines().receiving(exchange);
    exchange.atEnd(
        () -> share.meters().answered(exchange.route(), exchange.status(), exchange.took()));
    return exchange;
  }

  private void limit(RoutingContext web) {
    Exchange exchange = begin(web.request());
    web.put(KEY, exchange);
    if (web.request().uri().length() > ApiConfig.URI_MOST) {
      Intake.drop(web.request());
      exchange.problem(uriTooLong());
    } else if (isPlain(web)) {
      web.next();
    } else {
      nothingHere(web);
    }
  }

  /** Each thing has one address: what Vert.x Web would read kindly is nothing of ours. */
  private static boolean isPlain(RoutingContext web) {
    String path = web.request().path();
    return path != null && !path.endsWith("/") && path.equals(web.normalizedPath());
  }

  private static Problem uriTooLong() {
    return Problem.of(
        ProblemType.URI_TOO_LONG, "At most %d bytes are read.".formatted(ApiConfig.URI_MOST));
  }

  private static Exchange exchange(RoutingContext web) {
    Exchange exchange = web.get(KEY);
    return exchange;
  }

  /** No such path; or there is, and not with this method. */
  private void nothingHere(RoutingContext web) {
    Exchange exchange = exchange(web);
    Intake.drop(web.request());
    String path = web.request().path();
    String allowed =
        share.routes().stream()
            .filter(
                route -> path != null && isPlain(web) && route.pattern().matcher(path).matches())
            .map(route -> route.method().name())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (allowed.isEmpty()) {
      exchange.problem(
          Problem.of(ProblemType.NOT_FOUND, "There is nothing at this path; see /docs."));
    } else {
      exchange.problem(
          Problem.of(
              ProblemType.METHOD_NOT_ALLOWED, "Only %s is possible here.".formatted(allowed)),
          response -> response.headers().set("Allow", allowed));
    }
  }

  /** What Vert.x Web found wrong before, or instead of, us. */
  private void ownError(RoutingContext web) {
    @Nullable Exchange known = web.get(KEY);
    Exchange exchange = known == null ? begin(web.request()) : known;
    if (exchange.isAnswered()) return;
    Intake.drop(web.request());
    int status = web.statusCode();
    Throwable failure = web.failure();
    if (status >= 500 && failure != null) exchange.failed(failure);
    else if (status == 404) nothingHere(web.put(KEY, exchange));
    else exchange.problem(Problem.invalid("request", "cannot be read; check path and headers"));
  }

  /** Not even HTTP, or more of it than we read. The connection cannot go on after that. */
  private void unreadable(HttpServerRequest request) {
    Exchange exchange = begin(request);
    Throwable cause = request.decoderResult().cause();
    Problem problem =
        switch (cause) {
          case TooLongHttpLineException line -> uriTooLong();
          case TooLongHttpHeaderException headers ->
              Problem.of(
                  ProblemType.HEADERS_TOO_LARGE,
                  "At most %d bytes are read.".formatted(share.config().limits().headerBytes()));
          case null, default -> Problem.invalid("request", "is not HTTP/1.1 as we can read it");
        };
    exchange.problem(problem, response -> response.headers().set("Connection", "close"));
    request.connection().close();
  }
}
