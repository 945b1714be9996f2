// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Two schedulers keep three regions warm for hours, nobody comes, and so there is no news. */
class QuietSimTest {
  private static final Duration SETTLED = Duration.ofMinutes(15);
  private static final Duration LENGTH = Duration.ofHours(3);

  private final Logger ours = (Logger) LoggerFactory.getLogger("cupbear");
  private final Logger seats = (Logger) LoggerFactory.getLogger("cupbear.scheduler.app.Seats");

  @BeforeEach
  void listen() {
    ours.setAdditive(false);
    ours.setLevel(Level.INFO);
    seats.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    ours.setAdditive(true);
    ours.setLevel(null);
    seats.setLevel(Level.WARN);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aPoolAtRestWritesNoLine(long seed) {
    SimSettings settings =
        new SimSettings(seed, LENGTH, SimSettings.FaultLevel.NONE, 2, Demand.STEADY);
    Telemetry telemetry = Telemetry.start(new Telemetry.Build("1", "abc", "25"), Map.of());
    SimWorld world = new SimWorld(settings, nobodyComes(telemetry.meters()), null);
    List<String> beginning = new ArrayList<>();
    List<String> later = new ArrayList<>();
    AppenderBase<ILoggingEvent> ear =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent line) {
            Duration at = Duration.ofNanos(world.agenda().nanos());
            boolean early = at.compareTo(SETTLED) < 0;
            (early ? beginning : later).add(at + " " + line + " " + line.getKeyValuePairs());
          }
        };
    ear.setContext(ours.getLoggerContext());
    ear.start();
    ours.addAppender(ear);
    try {
      assertThat(world.run().violations()).isEmpty();
    } finally {
      ours.detachAppender(ear);
      telemetry.close();
    }
    assertThat(beginning).as("filling the pool is told").anyMatch(line -> line.contains("proven"));
    assertThat(later).as("and from then on nothing").isEmpty();
  }

  private static Variant nobodyComes(Meters telling) {
    return new Variant() {
      @Override
      public Meters meters(Meters real) {
        return telling;
      }

      @Override
      public boolean isVisited() {
        return false;
      }
    };
  }
}
