// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Step.Spread;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How long things take: log-normal around each step's figures, from a seeded source, divided by the
 * speed. Speed scales what the platform does, never what a client asks for or paces itself by:
 * lease times, wait timeouts and rate limits stay as they are. Owned by the world's thread.
 */
final class Latencies {

  // The 95th percentile of a normal distribution, in standard deviations.
  private static final double Z95 = 1.645;
  // Tails end somewhere: reaping stays under its documented eight seconds with this.
  private static final double TAIL = 2.5;

  private final double speed;
  private final RandomGenerator random;
  private final Map<Step, Spread> spreads = new EnumMap<>(Step.class);

  Latencies(double speed, RandomGenerator random) {
    if (!(speed > 0) || Double.isInfinite(speed)) {
      throw new IllegalArgumentException("speed is " + speed + "; give a number above 0");
    }
    this.speed = speed;
    this.random = random;
    reset();
  }

  void reset() {
    for (Step step : Step.values()) {
      spreads.put(step, step.usual());
    }
  }

  void set(Step step, Spread spread) {
    spreads.put(step, spread);
  }

  /** Reads {@code {"create":{"p50_ms":1,"p95_ms":2},…}}; steps that are not named stay. */
  void patch(ObjectNode changes) {
    Map<Step, Spread> wanted = new EnumMap<>(Step.class);
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      wanted.put(step(change.getKey()), spread(change.getKey(), change.getValue()));
    }
    spreads.putAll(wanted);
  }

  private static Step step(String name) {
    try {
      return Step.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw Errors.invalid("no latency is called " + name + "; GET /sim/latencies lists them");
    }
  }

  private static Spread spread(String name, JsonNode figures) {
    try {
      return Json.MAPPER.treeToValue(figures, Spread.class);
    } catch (JsonProcessingException e) {
      throw Errors.invalid(name + " needs {\"p50_ms\":…,\"p95_ms\":…}: " + e.getOriginalMessage());
    }
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    spreads.forEach((step, spread) ->
        json.putObject(step.name().toLowerCase(Locale.ROOT))
            .put("p50_ms", spread.p50Ms())
            .put("p95_ms", spread.p95Ms()));
    return json;
  }

  Duration next(Step step) {
    Spread spread = spreads.getOrDefault(step, step.usual());
    return ofMillis(spread.p50Ms() == 0 ? mostlyNone(spread) : logNormal(spread));
  }

  /** A time on the platform, as it passes here. */
  Duration scaled(Duration onPlatform) {
    return ofMillis(onPlatform.toNanos() / 1e6);
  }

  private Duration ofMillis(double millis) {
    return Duration.ofNanos(Math.round(millis / speed * 1_000_000));
  }

  double speed() {
    return speed;
  }

  private double logNormal(Spread spread) {
    double sigma = Math.log((double) spread.p95Ms() / spread.p50Ms()) / Z95;
    double sample = spread.p50Ms() * Math.exp(sigma * random.nextGaussian());
    return Math.clamp(sample, spread.p50Ms() / 10.0, spread.p95Ms() * TAIL);
  }

  /** Half of the time nothing, then evenly up to the slow figure and a little beyond. */
  private double mostlyNone(Spread spread) {
    return Math.max(0, (random.nextDouble() - 0.5) / 0.45) * spread.p95Ms();
  }
}
