// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Amounts with a unit: durations such as {@code 5s} and sizes such as {@code 16KiB}. */
public final class Amounts {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KiB|MiB)");

  /** Longer than anything here is meant to last; keeps sums of durations far from overflow. */
  private static final Duration LONGEST = Duration.ofDays(3650);

  private static final long KIB = 1024;

  /** Largest first, so that the shortest way to write a duration is found first. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit("d", Duration.ofDays(1)),
          new Unit("h", Duration.ofHours(1)),
          new Unit("m", Duration.ofMinutes(1)),
          new Unit("s", Duration.ofSeconds(1)),
          new Unit("ms", Duration.ofMillis(1)));

  private record Unit(String word, Duration length) {}

  static final Kind<Duration> POSITIVE =
      new Kind<>(
          "duration",
          "a duration above 0, such as 500ms, 5s, 3m, 12h or 7d",
          raw ->
              raw instanceof Raw.Text text && text.isText()
                  ? duration(text.text()).filter(Duration::isPositive).orElse(null)
                  : null,
          Amounts::show);

  private Amounts() {}

  /** A size in bytes, within bounds. */
  static Kind<Integer> size(int least, int most) {
    return new Kind<>("size", "", Amounts::bytes, Amounts::showSize)
        .where(
            value -> value >= least && value <= most,
            "a size from %s to %s".formatted(showSize(least), showSize(most)));
  }

  /** Reads {@code 500ms}, {@code 5s}, {@code 3m}, {@code 12h} or {@code 90d}. */
  public static Optional<Duration> duration(String text) {
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) return Optional.empty();
    long count = Long.parseLong(parts.group(1));
    return UNITS.stream()
        .filter(unit -> unit.word.equals(parts.group(2)))
        .map(unit -> unit.length.multipliedBy(count))
        .filter(length -> length.compareTo(LONGEST) <= 0)
        .findFirst();
  }

  /** The shortest way to write a duration, which reads back as the same. */
  public static String show(Duration length) {
    return UNITS.stream()
        .filter(unit -> length.toMillis() % unit.length.toMillis() == 0 && !length.isZero())
        .findFirst()
        .map(unit -> length.dividedBy(unit.length) + unit.word)
        .orElse("0s");
  }

  private static @Nullable Integer bytes(Raw raw) {
    if (!(raw instanceof Raw.Text text) || !text.isText()) return null;
    Matcher parts = SIZE.matcher(text.text());
    if (!parts.matches()) return null;
    long unit =
        switch (parts.group(2)) {
          case "KiB" -> KIB;
          case "MiB" -> KIB * KIB;
          default -> 1;
        };
    long size = Long.parseLong(parts.group(1)) * unit;
    return size <= Integer.MAX_VALUE ? (int) size : null;
  }

  private static String showSize(int size) {
    if (size % (KIB * KIB) == 0) return size / (KIB * KIB) + "MiB";
    return size % KIB == 0 ? size / KIB + "KiB" : size + "B";
  }
}
