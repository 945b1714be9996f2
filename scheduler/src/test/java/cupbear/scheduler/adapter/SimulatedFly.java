// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter;

import cupbear.fly.BreakerRule;
import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig;
import cupbear.fly.Rate;
import cupbear.fly.RetryRule;
import cupbear.fly.model.Secret;
import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * Fly's API over a loopback socket, a thousand times as fast and without chance, and a client that
 * pauses for milliseconds where the real one waits for seconds. For one test thread.
 */
public final class SimulatedFly implements AutoCloseable {
  // A bound for a hanging test, not an expectation.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  public static final String APP = FlySimConfig.APP;
  public static final PoolName POOL = new PoolName("viewers");
  public static final Region IAD = new Region("iad");
  public static final String OURS = "cupbear/demo";

  private static final String NO_CHANCE =
      """
      {"switches": {"stuck_created_rate": 0, "cold_resume_rate": 0, "cold_image_first": false,
                    "rate_limits": false},
       "latencies": {"get_lag": {"p50_ms": 0, "p95_ms": 0},
                     "list_lag": {"p50_ms": 0, "p95_ms": 0}}}
      """;

  private static final RetryRule BRISK =
      new RetryRule(
          4,
          Duration.ofMillis(2),
          Duration.ofMillis(20),
          Duration.ofMillis(20),
          Duration.ofMillis(5),
          Duration.ofSeconds(2));

  private static final BreakerRule NEVER =
      new BreakerRule(64, 64, 1.1, Duration.ofSeconds(5), Duration.ofSeconds(5));

  public final Vertx vertx = Vertx.vertx();
  public final FlySim sim;
  public final FlyClient client;

  public SimulatedFly(UnaryOperator<FlySimConfig> changes) {
    FlySimConfig base = FlySimConfig.standard().withSpeed(1_000).withPreset(NO_CHANCE);
    sim = get(FlySim.start(vertx, changes.apply(base)));
    client = client(sim.url(), FlySimConfig.TOKEN, config -> config);
  }

  /** Another client; whoever asks for it closes it. */
  public FlyClient client(String url, String token, UnaryOperator<FlyConfig> changes) {
    FlyConfig config =
        FlyConfig.of(URI.create(url), () -> Secret.of(token))
            .pacing(FlyConfig.Pacing.USUAL.usual(new Rate(1_000, 100)))
            .retry(BRISK)
            .breaker(NEVER);
    return FlyClient.create(vertx, changes.apply(config));
  }

  /** Sets a fault: a kind, and what else belongs to it as JSON without braces. */
  public void fault(String kind, String more) {
    String comma = more.isEmpty() ? "" : ",";
    get(sim.faults().set(new JsonObject("{\"kind\":\"" + kind + "\"" + comma + more + "}")));
  }

  public void calm() {
    get(sim.faults().clearAll());
  }

  /** A Machine as it is, without lag and whatever faults say. */
  public JsonObject truth(String id) {
    return new JsonObject(read("/sim/machines/" + id));
  }

  /** How many Machines there are, destroyed ones left out. */
  public long alive() {
    return new JsonArray(read("/sim/machines"))
        .stream()
            .map(JsonObject.class::cast)
            .filter(each -> !each.getString("state").equals("destroyed"))
            .count();
  }

  /** How many requests of this kind the simulator has seen, by its own count and names. */
  public int arrived(String action) {
    return get(sim.faults().info()).getJsonObject("calls").getInteger(action, 0);
  }

  private String read(String path) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(sim.url() + path)).build();
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (java.io.IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  public static Order order(String name, Keep keep) {
    return new Order(
        name,
        POOL,
        IAD,
        new Template(
            new TemplateVersion("7"),
            "registry.example/viewer:7",
            new Template.Guest("shared", 2, 2048),
            Map.of("GUACD_BIND", "fly-local-6pn")),
        keep,
        Map.of("pool", POOL.value(), "role", "warm-pool", "state", "provisioning"));
  }

  public static <T> T get(Future<T> future) {
    try {
      return future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException hanging) {
      throw new AssertionError("no answer within " + PATIENCE, hanging);
    }
  }

  @Override
  public void close() {
    get(client.close());
    get(sim.close());
    get(vertx.close());
  }
}
