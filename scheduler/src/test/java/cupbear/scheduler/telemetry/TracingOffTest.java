// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.trace.Span;
import cupbear.scheduler.trace.Tracing;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces are off unless somebody says where to, and then they cost nothing. */
class TracingOffTest {
  private static final MachineId MACHINE = new MachineId("m1");

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "PATH,/bin,                                    false",
    "OTEL_TRACES_EXPORTER,none,                    false",
    "OTEL_TRACES_EXPORTER,otlp,                    true",
    "OTEL_EXPORTER_OTLP_ENDPOINT,http://x:4318,    true",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,http://x,  true",
    "OTEL_EXPORTER_OTLP_ENDPOINT,'',               false",
    "OTEL_SERVICE_NAME,cupbear,                    false"
  })
  void oneVariableSwitchesThemOn(String name, String value, boolean on) {
    assertThat(OtelSetup.isWanted(Map.of(name, value))).isEqualTo(on);
  }

  @Test
  void theStandardSwitchTurnsThemOff() {
    assertThat(
            OtelSetup.isWanted(Map.of("OTEL_SDK_DISABLED", "true", "OTEL_TRACES_EXPORTER", "otlp")))
        .isFalse();
  }

  @Test
  void nothingIsMadeWhenNobodyListens() {
    try (Telemetry telemetry = Telemetry.start(new Telemetry.Build("1", "abc", "25"), Map.of())) {
      assertThat(telemetry.tracing()).isSameAs(Tracing.NONE);
      assertThat(telemetry.meters().tracing()).isSameAs(Tracing.NONE);
      assertThat(telemetry.apiMeters().tracing()).isSameAs(Tracing.NONE);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long id = Thread.currentThread().threadId();
      walk(telemetry.tracing(), 10_000);
      long before = threads.getThreadAllocatedBytes(id);
      walk(telemetry.tracing(), 10_000);
      long each = (threads.getThreadAllocatedBytes(id) - before) / 10_000;
      assertThat(each).as("bytes per request").isZero();
    }
  }

  private static void walk(Tracing tracing, int times) {
    for (int i = 0; i < times; i++) {
      Span request = tracing.request("POST /v1/sessions", null, null);
      request.child("assign.rank").with("cupbear.machine.id", MACHINE).end();
      Span claim = request.child("assign.claim");
      if (claim.isHeard()) throw new AssertionError("somebody listens");
      claim.with("cupbear.outcome", "granted").end();
      request.end();
    }
  }
}
