// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.security.TokenBuckets.Share;
import cupbear.scheduler.security.TokenBuckets.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketsTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

  private final TokenBuckets buckets = new TokenBuckets(new Share(10, 5), 3);

  private long granted(String token, int asked, Instant at) {
    long granted = 0;
    for (int i = 0; i < asked; i++) {
      if (buckets.take(token, at) instanceof Taken.Granted) granted++;
    }
    return granted;
  }

  @Test
  void aBurstIsServedAndTheRestHearsWhenToComeBack() {
    assertThat(granted("a", 5, NOW)).isEqualTo(5);
    assertThat(buckets.take("a", NOW)).isEqualTo(new Taken.Throttled(Duration.ofMillis(100)));
    assertThat(buckets.take("a", NOW.plusMillis(60)))
        .isEqualTo(new Taken.Throttled(Duration.ofMillis(40)));
    assertThat(buckets.take("a", NOW.plusMillis(100))).isEqualTo(new Taken.Granted());
  }

  @Test
  void oneCallersHungerIsNotAnothers() {
    assertThat(granted("a", 9, NOW)).isEqualTo(5);
    assertThat(granted("b", 9, NOW)).isEqualTo(5);
  }

  @Test
  void restFillsTheBucketAndNoFurther() {
    granted("a", 5, NOW);
    assertThat(granted("a", 99, NOW.plusSeconds(3600))).isEqualTo(5);
  }

  @Test
  void aClockThatJumpsBackLocksNobodyOut() {
    granted("a", 5, NOW);
    Instant before = NOW.minusSeconds(3600);
    assertThat(buckets.take("a", before)).isEqualTo(new Taken.Throttled(Duration.ofMillis(100)));
    assertThat(buckets.take("a", before.plusMillis(100))).isEqualTo(new Taken.Granted());
    assertThat(granted("a", 9, before.plusSeconds(2))).isEqualTo(5);
  }

  @Test
  void strangersCannotFillTheMemory() {
    for (int i = 0; i < 1000; i++) buckets.take("t" + i, NOW);
    assertThat(buckets.remembered()).isEqualTo(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void neverMoreThanBurstAndRate(long seed) {
    Random dice = new Random(seed);
    Instant at = NOW;
    long granted = 0;
    for (int i = 0; i < 2000; i++) {
      at = at.plusMillis(dice.nextInt(60));
      granted += granted("a", 1 + dice.nextInt(3), at);
      double most = 5 + 10 * Duration.between(NOW, at).toMillis() / 1000.0;
      assertThat((double) granted).isLessThanOrEqualTo(most);
    }
    assertThat((double) granted)
        .as("and a hungry caller gets its share")
        .isGreaterThan(9.5 * Duration.between(NOW, at).toSeconds());
  }
}
