// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code "1m30s"}, or a bare JSON number of nanoseconds. */
final class GoDuration {
  private static final String ONE = "(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)";
  private static final Pattern PART = Pattern.compile(ONE);
  private static final Pattern WHOLE = Pattern.compile("(?:" + ONE + ")+");

  private GoDuration() {}

  /** A duration inside a config: a string, or an integer of nanoseconds. */
  static Duration from(JsonNode value, String field) {
    if (value.isIntegralNumber() && value.longValue() >= 0) {
      return Duration.ofNanos(value.longValue());
    }
    if (value.isTextual()) {
      return parse(value.textValue(), field);
    }
    throw invalid(field, value.toString());
  }

  static Duration parse(String text, String field) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    if (!WHOLE.matcher(text).matches()) {
      throw invalid(field, text);
    }
    double nanos = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      nanos += Double.parseDouble(part.group(1)) * nanosPer(part.group(2));
    }
    return Duration.ofNanos(Math.round(nanos));
  }

  /** As {@link #parse}, where a bare number means seconds, as in query parameters. */
  static Duration parseOrSeconds(String text, String field) {
    return text.matches("\\d{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : parse(text, field);
  }

  /** Go's spelling: 90 s is {@code 1m30s}, 1.5 s is {@code 1.5s}, below a second {@code 500ms}. */
  static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return fraction(duration.toNanos() / 1e6) + "ms";
    }
    StringBuilder text = new StringBuilder();
    if (duration.toHours() > 0) {
      text.append(duration.toHours()).append('h');
    }
    if (duration.toMinutes() > 0) {
      text.append(duration.toMinutesPart()).append('m');
    }
    double seconds = duration.toSecondsPart() + duration.toNanosPart() / 1e9;
    return text.append(fraction(seconds)).append('s').toString();
  }

  private static String fraction(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static double nanosPer(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }

  private static Refusal invalid(String field, String text) {
    return Errors.invalid(
        "%s: '%s' is not a duration; use a string such as \"20s\" or nanoseconds"
            .formatted(field, text));
  }
}
