// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.fly.FlyHooks;
import cupbear.scheduler.api.ApiMeters;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Time;
import cupbear.scheduler.trace.Tracing;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.vertx.core.VertxBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that shows how one replica is doing. Made first, because adapters want its hooks;
 * bound to what it looks at once that exists:
 *
 * <pre>{@code
 * Telemetry telemetry = Telemetry.start(new Telemetry.Build(…), System.getenv());
 * Vertx vertx = telemetry.vertx().build();
 * FlyConfig fly = ….hooks(telemetry.flyHooks());
 * RedisStore store = new RedisStore(place, settings, rules, telemetry.meters());
 * Ports ports = new Ports(…, telemetry.meters());
 * telemetry.storeLanes(store::waiting);
 * telemetry.bind(fleet, board, time);          // gauges, until close()
 * new ApiParts.Showing(checks, telemetry::scrape, telemetry.apiMeters());
 * }</pre>
 *
 * Any thread. Loses nothing that anybody decides upon.
 */
public final class Telemetry implements AutoCloseable {
  /** As often as a loop makes a pass. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /** For what the exporter still holds when a replica ends. */
  private static final Duration LAST_SPANS_WITHIN = Duration.ofSeconds(3);

  /** What runs here. */
  public record Build(String version, String commit, String java) {}

  private final Registry registry = new Registry();
  private final Libraries libraries = new Libraries(registry.meters());
  private final Figures figures = new Figures(registry.meters(), System::nanoTime);
  private final Counting counting;
  private final ApiCounts api;
  private final FlyCounts fly;
  private final Tracing tracing;
  private final @Nullable OpenTelemetrySdk spans;
  private volatile IntSupplier lanes = () -> 0;
  private volatile boolean closed;
  private Time.@Nullable Timer next;

  private Telemetry(Build build, @Nullable OpenTelemetrySdk spans) {
    this.spans = spans;
    OtelTracing kept = spans == null ? null : new OtelTracing(spans);
    this.tracing = kept == null ? Tracing.NONE : kept;
    this.counting = new Counting(figures, new Chronicle(), tracing);
    this.api = new ApiCounts(registry.meters(), tracing);
    this.fly =
        new FlyCounts(registry.meters(), machine -> kept == null ? null : kept.acting(machine));
    registry.info(
        Metric.CUPBEAR_BUILD_INFO,
        Map.of("version", build.version(), "commit", build.commit(), "java", build.java()));
    new MeterShelf(registry.meters())
        .gauge(Metric.CUPBEAR_STORE_LANE_WAITING, () -> lanes.getAsInt());
  }

  /**
   * Counts from now on; traces when the environment says where to.
   *
   * @param environment {@code OTEL_*} as the standard defines them
   */
  public static Telemetry start(Build build, Map<String, String> environment) {
    return new Telemetry(build, OtelSetup.of(environment).orElse(null));
  }

  public Meters meters() {
    return counting;
  }

  public ApiMeters apiMeters() {
    return api;
  }

  /** For the client of Fly's API. */
  public FlyHooks flyHooks() {
    return fly;
  }

  public Tracing tracing() {
    return tracing;
  }

  /** Makes a Vert.x whose own meters are shown too. */
  public VertxBuilder vertx() {
    return libraries.vertx();
  }

  /** How many calls wait for the store, over all pools. */
  public void storeLanes(IntSupplier waiting) {
    lanes = waiting;
  }

  /** Shows what is declared, and reads the store every few seconds, until {@link #close}. */
  public void bind(Fleet fleet, RegionBoard board, Time time) {
    if (closed) return;
    figures.declare(fleet.pools(), board);
    figures.look(fleet);
    synchronized (this) {
      if (!closed) next = time.after(LOOK_EVERY, () -> bind(fleet, board, time));
    }
  }

  /** What is declared changed: its series come and go now, not at the next look. */
  public void declared(Fleet fleet, RegionBoard board) {
    figures.declare(fleet.pools(), board);
  }

  /** The metrics, in Prometheus' text format. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (next != null) next.cancel();
    }
    libraries.close();
    if (spans != null) spans.shutdown().join(LAST_SPANS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }
}
