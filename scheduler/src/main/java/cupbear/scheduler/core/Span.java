// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;
import java.time.Instant;

/** How times are told in reasons. */
final class Span {
  private Span() {}

  static String of(Instant from, Instant to) {
    return of(Duration.between(from, to));
  }

  static String of(Duration length) {
    long seconds = length.toSeconds();
    if (seconds < 120) return seconds + " s";
    if (seconds < 7200) return seconds / 60 + " min";
    return seconds / 3600 + " h";
  }
}
