// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.fly.model.GoDuration;
import java.time.DateTimeException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "20s, PT20S",
    "999999999s, PT999999999S",
    "4000000000s, PT4000000000S",
    "1m30s, PT1M30S",
    "1h0m0.5s, PT1H0.5S",
    "1.5h, PT1H30M",
    "250ms, PT0.25S",
    "5us, PT0.000005S",
    "5µs, PT0.000005S",
    "7ns, PT0.000000007S",
    "-2s, PT-2S",
    "+2s, PT2S",
    "0, PT0S",
    "20000000000, PT20S",
    "'', PT0S"
  })
  void reads(String text, Duration duration) {
    assertThat(GoDuration.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"20", "20000000000"})
  void aBareNumberIsNanoseconds(String text) {
    assertThat(GoDuration.parse(text)).isEqualTo(Duration.ofNanos(Long.parseLong(text)));
  }

  @ParameterizedTest(name = "{1} is written {0}")
  @CsvSource({"20s, PT20S", "90s, PT1M30S", "1500ms, PT1.5S", "7ns, PT0.000000007S", "0s, PT0S"})
  void writesWhatGoReadsBack(String text, Duration duration) {
    assertThat(GoDuration.format(duration)).isEqualTo(text);
    assertThat(GoDuration.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"20 s", "s", "1d", "1,5s", "PT20S", "always", "99999999999999h"})
  void refusesTheRest(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
