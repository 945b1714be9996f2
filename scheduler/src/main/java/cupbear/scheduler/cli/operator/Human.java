// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Times, ages and texts for a terminal. */
final class Human {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Human() {}

  /** One or two units: {@code 42s}, {@code 5m}, {@code 3h12m}, {@code 2d4h}. */
  static String age(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) return seconds + "s";
    if (seconds < 2 * 3600) return seconds / 60 + "m";
    if (seconds < 48 * 3600) return "%dh%02dm".formatted(seconds / 3600, seconds / 60 % 60);
    return "%dd%dh".formatted(seconds / 86_400, seconds / 3600 % 24);
  }

  /** Of the API's own text; a dash when there is none. */
  static String age(String since, Instant now) {
    try {
      return since.isEmpty() ? "-" : age(Duration.between(Instant.parse(since), now));
    } catch (DateTimeParseException odd) {
      return clean(since);
    }
  }

  /** {@code 0.12s}. */
  static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.2fs", millis / 1000.0);
  }

  static String moment(String time) {
    try {
      return MOMENT.format(Instant.parse(time));
    } catch (DateTimeParseException odd) {
      return clean(time);
    }
  }

  /** The word without its underscores. */
  static String words(String word) {
    return clean(word.replace('_', ' '));
  }

  /** At most so many characters, the last of them an ellipsis. */
  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  /**
   * Without anything that moves the cursor: some texts began in a Machine, and what runs there is
   * not ours.
   */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().map(each -> isHarmless(each) ? each : '·').forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isHarmless(int each) {
    return switch (Character.getType(each)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  static String counted(long count, String what) {
    return "%d %s%s".formatted(count, what, count == 1 ? "" : "s");
  }
}
