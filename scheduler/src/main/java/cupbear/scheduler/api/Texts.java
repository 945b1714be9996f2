// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** How times and words are written in answers. */
final class Texts {
  private Texts() {}

  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** In seconds where that is exact, else in milliseconds. */
  static String duration(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
