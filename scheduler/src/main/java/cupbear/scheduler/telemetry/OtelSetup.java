// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the standard {@code OTEL_*} variables. Without one that says where spans go there is no
 * OpenTelemetry at all: no threads, no buffers, nothing on the request path.
 */
final class OtelSetup {
  private static final String EXPORTER = "OTEL_TRACES_EXPORTER";

  private OtelSetup() {}

  static boolean isWanted(Map<String, String> environment) {
    if (environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true")) return false;
    String exporter = environment.get(EXPORTER);
    if (exporter != null && !exporter.isBlank()) return !exporter.trim().equals("none");
    return Stream.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
  }

  /** Empty when traces are off. */
  static Optional<OpenTelemetrySdk> of(Map<String, String> environment) {
    if (!isWanted(environment)) return Optional.empty();
    return Optional.of(
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties(environment))
            // Metrics are Prometheus' and logs go to stdout: one way out for each.
            .addPropertiesCustomizer(
                any -> Map.of("otel.metrics.exporter", "none", "otel.logs.exporter", "none"))
            .build()
            .getOpenTelemetrySdk());
  }

  private static Map<String, String> properties(Map<String, String> environment) {
    Map<String, String> properties = new HashMap<>();
    properties.put("otel.service.name", "cupbear");
    environment.forEach((name, value) -> {
      if (name.startsWith("OTEL_")) {
        properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
      }
    });
    return properties;
  }
}
