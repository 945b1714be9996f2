// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code "1m30s"}, {@code "250ms"}; a bare number is nanoseconds. */
public final class GoDuration {

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
