// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/** How numbers are said on the page. */
final class Figures {
  /** What product and pages promise: p95 of the queue time. */
  static final long CONTRACT_US = 500_000;

  private Figures() {}

  /** Microseconds as milliseconds, with three digits that mean something. */
  static String millis(long micros) {
    double millis = micros / 1e3;
    if (millis < 10) return String.format(Locale.ROOT, "%.2f", millis);
    if (millis < 100) return String.format(Locale.ROOT, "%.1f", millis);
    return String.format(Locale.ROOT, "%.0f", millis);
  }

  /** A moment or a length: {@code 12.5 s}, {@code 3 min}, {@code 2 min 30 s}. */
  static String span(Duration span) {
    if (span.toSeconds() < 120) return plain(span.toMillis() / 1e3) + " s";
    long seconds = span.toSecondsPart();
    return span.toMinutes() + " min" + (seconds == 0 ? "" : " " + seconds + " s");
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count).replace(',', '\u202F');
  }

  static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
  }

  /** {@code p50}, {@code p99.9}, {@code max}. */
  static String percentile(double percentile) {
    if (percentile == 100) return "max";
    return "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
  }

  /** At most one digit after the point: enough for a place in a plot. */
  static String plain(double number) {
    String text = String.format(Locale.ROOT, "%.1f", number);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
