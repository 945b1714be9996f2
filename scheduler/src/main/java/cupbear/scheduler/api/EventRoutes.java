// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import cupbear.scheduler.app.EventFeed;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.security.Permission;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What happens, as it happens. */
final class EventRoutes {
  private static final String LAST = "Last-Event-ID";
  private static final Duration FULL_RETRY = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final ApiParts parts;
  private final InFlight inFlight;
  private final int streamsMost;
  private final AtomicInteger streams = new AtomicInteger();

  EventRoutes(Vertx vertx, ApiParts parts, InFlight inFlight, int streamsMost) {
    this.vertx = vertx;
    this.parts = parts;
    this.inFlight = inFlight;
    this.streamsMost = streamsMost;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            HttpMethod.GET,
            "/v1/events",
            Permission.EVENTS_READ,
            Route.Body.NONE,
            "text/event-stream",
            this::watch));
  }

  private void watch(Call call) {
    Exchange exchange = call.exchange();
    String last = exchange.request().getHeader(LAST);
    Optional<Map<String, String>> from =
        last == null ? Optional.of(Map.of()) : Positions.read(last);
    if (from.isEmpty()) {
      exchange.problem(Problem.invalid(LAST, "must be an id as it came with an event"));
      return;
    }
    exchange.with(
        Queries.watching(call.query()),
        wanted -> {
          List<PoolSpec> pools = ListRoutes.mine(parts.serving().fleet(), exchange, wanted.pool());
          if (pools.isEmpty()) {
            exchange.problem(Problem.invalid("pool", "is not declared, or not for this token"));
          } else if (streams.incrementAndGet() > streamsMost) {
            streams.decrementAndGet();
            exchange.problem(
                Problem.later(
                    ProblemType.RATE_LIMITED,
                    FULL_RETRY,
                    "%d event streams are open, as many as may.".formatted(streamsMost)));
          } else {
            exchange.atEnd(streams::decrementAndGet);
            begin(call, wanted, pools, from.get());
          }
        });
  }

  private void begin(
      Call call, Queries.Watching wanted, List<PoolSpec> pools, Map<String, String> from) {
    Exchange exchange = call.exchange();
    EventFeed feed = parts.serving().events();
    Positions positions = new Positions();
    List<Future<Boolean>> gaps =
        pools.stream()
            .map(pool -> {
              String named = from.getOrDefault(pool.name().value(), from.getOrDefault("", ""));
              Future<String> position =
                  named.isEmpty() ? feed.now(pool) : Future.succeededFuture(named);
              return position.compose(at -> {
                synchronized (positions) {
                  positions.put(pool.name(), at);
                }
                return named.isEmpty()
                    ? Future.succeededFuture(false)
                    : feed.hasGap(pool.name(), named);
              });
            })
            .toList();
    exchange.then(
        Future.all(gaps),
        all -> {
          boolean gap = all.<Boolean>list().contains(true);
          EventStream.Wish wish =
              new EventStream.Wish(
                  pools.stream().map(PoolSpec::name).toList(),
                  wanted.region(),
                  wanted.topics(),
                  call.ownOnly() ? SessionRoutes.owner(exchange) : null);
          new EventStream(vertx, exchange, feed, wish, positions).start(gap, inFlight);
        });
  }
}
