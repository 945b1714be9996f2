// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.flysim.NoViewers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {

  @ParameterizedTest
  @EnumSource(Step.class)
  void medianAndTailAreTheFiguresOfTheTable(Step step) {
    double[] samples = samples(new Latencies(1, new Random(1)), step);
    assertThat(samples[5_000])
        .isBetween(step.usual().p50Ms() * 0.9, step.usual().p50Ms() * 1.1 + 30);
    assertThat(samples[9_500]).isBetween(step.usual().p95Ms() * 0.9, step.usual().p95Ms() * 1.1);
  }

  @Test
  void reapingEndsWithinItsDocumentedEightSeconds() {
    assertThat(samples(new Latencies(1, new Random(2)), Step.REAP)[9_999]).isLessThan(8_000);
  }

  @Test
  void speedDividesEverything() {
    double[] slow = samples(new Latencies(1, new Random(3)), Step.CREATE);
    double[] fast = samples(new Latencies(20, new Random(3)), Step.CREATE);
    assertThat(fast[5_000] * 20).isBetween(slow[5_000] - 1, slow[5_000] + 1);
  }

  @Test
  void sameSeedSameTimes() {
    assertThat(samples(new Latencies(1, new Random(4)), Step.LIST))
        .isEqualTo(samples(new Latencies(1, new Random(4)), Step.LIST));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void speedMustBeANumberAboveZero(double speed) {
    assertThatThrownBy(() -> new Latencies(speed, new Random(1)))
        .hasMessageContaining("give a number above 0");
  }

  @Test
  void speedScalesBootAndReadinessButNotWhatClientsAskFor() {
    RecordingViewers viewers = new RecordingViewers();
    Stage stage = new Stage(viewers, 20, "");
    String id = stage.create(Stage.config("")).body().get("id").asText();
    stage.time.pass(Duration.ofMillis(60));
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(viewers.done).endsWith("start 100");
    stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":30}");
    stage.pass(29);
    assertThat(stage.on(id, Action.GET_LEASE).status()).isEqualTo(200);
    assertThat(
            new Stage(new NoViewers(), 20, "")
                .control(Order.INFO, "")
                .body()
                .get("speed")
                .asDouble())
        .isEqualTo(20);
  }

  @Test
  void aPresetCanNameEveryStep() {
    Latencies latencies = new Latencies(1, new Random(1));
    latencies.patch(latencies.toJson());
    assertThat(latencies.toJson()).hasSize(Step.values().length);
  }

  private static double[] samples(Latencies latencies, Step step) {
    double[] samples = new double[10_000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = latencies.next(step).toNanos() / 1e6;
    }
    Arrays.sort(samples);
    return samples;
  }
}
