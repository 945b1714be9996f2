// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code "1m30s"}, {@code "250ms"}; a bare number is nanoseconds. */
public final class GoDuration {

  /** No sum of so few digits is beyond what a duration in nanoseconds holds. */
  private static final int MOST_DIGITS = 9;

  private static final Pattern WHOLE =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?(ns|us|µs|μs|ms|s|m|h))+");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?)(ns|us|µs|μs|ms|s|m|h)");
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /**
   * @throws DateTimeException when the text is no duration; says which form is wanted
   */
  public static Duration parse(String text) {
    String trimmed = text.strip();
    if (trimmed.isEmpty()) {
      return Duration.ZERO;
    }
    OptionalLong seconds = wholeSeconds(trimmed);
    if (seconds.isPresent()) {
      return Duration.ofSeconds(seconds.getAsLong());
    }
    if (NUMBER.matcher(trimmed).matches()) {
      return Duration.ofNanos(nanos(new BigDecimal(trimmed), trimmed));
    }
    if (!WHOLE.matcher(trimmed).matches()) {
      throw new DateTimeException("not a duration: \"" + text + "\"; write it like 1m30s or 250ms");
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(trimmed);
    while (part.find()) {
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    return Duration.ofNanos(nanos(trimmed.startsWith("-") ? nanos.negate() : nanos, trimmed));
  }

  /**
   * {@code "10s"}, as most of them are: a list of many Machines has four for each, and to read one
   * by patterns costs more than all else around it.
   */
  private static OptionalLong wholeSeconds(String text) {
    int digits = text.length() - 1;
    if (digits < 1 || digits > MOST_DIGITS || text.charAt(digits) != 's') {
      return OptionalLong.empty();
    }
    long seconds = 0;
    for (int i = 0; i < digits; i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return OptionalLong.empty();
      }
      seconds = 10 * seconds + (digit - '0');
    }
    return OptionalLong.of(seconds);
  }

  private static long nanos(BigDecimal exact, String text) {
    try {
      return exact.toBigInteger().longValueExact();
    } catch (ArithmeticException tooLarge) {
      throw new DateTimeException("duration \"" + text + "\" is beyond 292 years", tooLarge);
    }
  }

  /** The shortest form that Go reads back to the same duration, in one or two units. */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % 1_000_000_000L == 0) {
      return nanos / 1_000_000_000L + "s";
    }
    return nanos % 1_000_000L == 0 ? nanos / 1_000_000L + "ms" : nanos + "ns";
  }
}
