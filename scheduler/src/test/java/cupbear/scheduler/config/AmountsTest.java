// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S, 500ms",
    "5s, PT5S, 5s",
    "3m, PT3M, 3m",
    "12h, PT12H, 12h",
    "7d, PT168H, 7d",
    "60s, PT1M, 1m",
    "90m, PT90M, 90m",
    "36h, PT36H, 36h",
  })
  void durationsAreReadAndShownTheShortestWay(String text, Duration length, String shown) {
    assertThat(Amounts.duration(text)).contains(length);
    assertThat(Amounts.show(length)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "s",
        "5 s",
        "-5s",
        "5S",
        "1.5s",
        "5s5s",
        "5w",
        "٥s",
        "9999999999s",
        "4000d"
      })
  void whatIsNoDurationIsNone(String text) {
    assertThat(Amounts.duration(text)).isEmpty();
  }

  @Test
  void whatIsShownReadsBackAsTheSame() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      Duration length = Duration.ofMillis(1 + random.nextInt(1 << (1 + random.nextInt(29))));
      assertThat(Amounts.duration(Amounts.show(length))).contains(length);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "warm_mim, warm_min",
    "wram_min, warm_min",
    "warm_mni, warm_min",
    "warmmin, warm_min",
    "parked, ''",
    "zebra, ''"
  })
  void theNearestWordIsTheOneThatWasMeant(String word, String meant) {
    assertThat(Nearest.to(word, List.of("warm_min", "warm_max", "parked_max")).orElse(""))
        .isEqualTo(meant);
  }
}
