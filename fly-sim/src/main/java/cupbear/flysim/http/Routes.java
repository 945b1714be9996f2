// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.world.Action;
import cupbear.flysim.world.Call;
import cupbear.flysim.world.Json;
import cupbear.flysim.world.Order;
import cupbear.flysim.world.Reply;
import cupbear.flysim.world.World;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests in, replies out: one route per {@link Action} and per {@link Order}, nothing decided
 * here. Runs on the world's context.
 */
public final class Routes {
  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
  private static final String NONCE = "fly-machine-lease-nonce";
  private static final String JSON = "application/json; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final World world;
  private final ResponseIds ids = new ResponseIds();

  private Routes(World world) {
    this.world = world;
  }

  public static Router router(Vertx vertx, World world) {
    Routes routes = new Routes(world);
    Router router = Router.router(vertx);
    for (Action action : Action.values()) {
      router
          .route(HttpMethod.valueOf(action.method()), action.path())
          .handler(context -> routes.api(action, context));
    }
    for (Order order : Order.values()) {
      router
          .route(HttpMethod.valueOf(order.method()), order.path())
          .handler(context -> routes.control(order, context));
    }
    router.route().handler(routes::unknown);
    return router;
  }

  private void api(Action action, RoutingContext context) {
    withBody(
        context,
        body ->
            world
                .call(
                    new Call(
                        action,
                        context.pathParams(),
                        query(context),
                        header(context, HttpHeaders.AUTHORIZATION.toString()),
                        header(context, NONCE),
                        body))
                .onSuccess(reply -> send(context, reply))
                .onFailure(mistake -> broken(context, mistake)));
  }

  private void control(Order order, RoutingContext context) {
    String name = context.queryParams().contains("name") ? context.queryParams().get("name") : "";
    withBody(
        context, body -> send(context, world.control(order, context.pathParams(), name, body)));
  }

  private void withBody(RoutingContext context, Consumer<String> then) {
    context
        .request()
        .body()
        .map(Object::toString)
        .onSuccess(body -> {
          try {
            then.accept(body);
          } catch (RuntimeException mistake) {
            broken(context, mistake);
          }
        });
  }

  private static Map<String, List<String>> query(RoutingContext context) {
    MultiMap params = context.queryParams();
    Map<String, List<String>> query = new LinkedHashMap<>();
    params.forEach((name, value) -> query.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    return query;
  }

  private static String header(RoutingContext context, String name) {
    String value = context.request().getHeader(name);
    return value == null ? "" : value;
  }

  private void send(RoutingContext context, Reply reply) {
    HttpServerResponse response = context.response();
    if (response.closed() || response.ended()) {
      return;
    }
    if (reply.isHangUp()) {
      context.request().connection().close();
      return;
    }
    ids.addTo(response);
    response.setStatusCode(reply.status());
    JsonNode body = reply.body();
    if (body.isMissingNode()) {
      response.end();
    } else if (body.isTextual()) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, TEXT).end(body.textValue());
    } else {
      response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(Json.write(body));
    }
  }

  /** Plain text, as the real one answers for paths it does not have. */
  private void unknown(RoutingContext context) {
    ids.addTo(context.response());
    context
        .response()
        .setStatusCode(404)
        .putHeader(HttpHeaders.CONTENT_TYPE, TEXT)
        .end("404 page not found\n");
  }

  /** A mistake of the simulator, not a simulated one; it must not pass for the latter. */
  private void broken(RoutingContext context, Throwable mistake) {
    LOG.error("the simulator failed on {}", context.request().uri(), mistake);
    if (!context.response().ended() && !context.response().closed()) {
      context.response().setStatusCode(500).end("fly-sim itself failed: " + mistake + "\n");
    }
  }
}
