// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTimeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-18T10:00:00Z",
        "1999-12-31T23:59:59Z",
        "2024-02-29T00:00:01Z",
        "9999-01-02T03:04:05Z"
      })
  void tellsTheSameAsTheJdk(String text) {
    assertThat(PlainTime.isOne(text)).isTrue();
    assertThat(PlainTime.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-18T10:00:00.5Z",
        "2026-11-18T10:00:00+02:00",
        "2026-11-18t10:00:00z",
        "2026/11/18T10:00:00Z",
        "20x6-11-18T10:00:00Z",
        "٢٠٢٦-11-18T10:00:00Z"
      })
  void leavesOtherFormsToTheJdk(String text) {
    assertThat(PlainTime.isOne(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-02-30T10:00:00Z", "2026-13-01T10:00:00Z", "2026-11-18T24:00:00Z"})
  void refusesDaysThatAreNone(String text) {
    assertThatThrownBy(() -> PlainTime.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
