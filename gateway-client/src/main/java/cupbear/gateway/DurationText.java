// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the API writes them: {@code 500ms}, {@code 5s}, {@code 2m}, {@code 8h}. */
final class DurationText {
  private static final Pattern SHAPE = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private DurationText() {}

  static Duration parse(String text) {
    Matcher matcher = SHAPE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is no duration such as 20s");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  static String write(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }
}
