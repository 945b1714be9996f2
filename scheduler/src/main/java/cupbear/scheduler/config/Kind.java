// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type of value: how it is read, how it is shown, and how a person is told what it must be.
 *
 * @param wanted completes the sentence "give …"
 */
record Kind<T>(String name, String wanted, Reading<T> reading, Function<T, String> showing) {
  private static final String BETWEEN_WORDS = " | ";

  /** Gives null for what is not of this kind. */
  interface Reading<T> {
    @Nullable T read(Raw raw);
  }

  static final Kind<String> TEXT = text("text", "a text", text -> !text.isBlank());

  static final Kind<Boolean> FLAG =
      new Kind<>(
          "flag",
          "true or false",
          raw -> {
            if (!(raw instanceof Raw.Text text) || !text.isFlag()) return null;
            return switch (text.text()) {
              case "true" -> true;
              case "false" -> false;
              default -> null;
            };
          },
          String::valueOf);

  /** A list of texts, not empty; in an environment variable separated by commas. */
  static final Kind<List<String>> TEXTS =
      new Kind<>(
          "list of texts",
          "a list of texts such as [a, b]",
          Kind::texts,
          list -> "[" + String.join(", ", list) + "]");

  /** A whole number within bounds. */
  static Kind<Integer> count(int least, int most) {
    String wanted =
        most == Integer.MAX_VALUE
            ? "a whole number, at least " + least
            : "a whole number from %d to %d".formatted(least, most);
    return new Kind<>("whole number", wanted, Kind::integer, String::valueOf)
        .where(value -> value >= least && value <= most, wanted);
  }

  static Kind<Integer> count(int least) {
    return count(least, Integer.MAX_VALUE);
  }

  /** A number from zero up. */
  static Kind<Double> number(Predicate<Double> rule, String wanted) {
    return new Kind<>("number", wanted, Kind::decimal, Kind::plain).where(rule, wanted);
  }

  /** A part of a whole, more than nothing and less than or equal to all. */
  static Kind<Double> share() {
    return new Kind<>("share", "", Kind::decimal, Kind::plain)
        .where(value -> value > 0 && value <= 1, "a share above 0 and up to 1, such as 0.25");
  }

  /** A text with a shape. */
  static Kind<String> text(String name, String wanted, Predicate<String> rule) {
    return new Kind<>(
        name,
        wanted,
        raw ->
            raw instanceof Raw.Text text && text.isText() && rule.test(text.text())
                ? text.text()
                : null,
        Function.identity());
  }

  /** A text that a type of ours accepts; its complaint is an {@link IllegalArgumentException}. */
  static <T> Kind<T> named(String name, String wanted, Function<String, T> type) {
    return new Kind<>(
        name,
        wanted,
        raw -> raw instanceof Raw.Text text && text.isText() ? made(type, text.text()) : null,
        String::valueOf);
  }

  /** One word of a closed set. */
  static <E extends Enum<E>> Kind<E> word(Class<E> type) {
    List<String> words = Stream.of(type.getEnumConstants()).map(Kind::wordOf).toList();
    return new Kind<>(
        String.join(BETWEEN_WORDS, words),
        "one of " + String.join(", ", words),
        raw -> {
          if (!(raw instanceof Raw.Text text) || !text.isText()) return null;
          return Arrays.stream(type.getEnumConstants())
              .filter(each -> wordOf(each).equals(text.text()))
              .findFirst()
              .orElse(null);
        },
        Kind::wordOf);
  }

  /** The closed set, when this is one. */
  List<String> words() {
    return name.contains(BETWEEN_WORDS) ? List.of(name.split(" \\| ")) : List.of();
  }

  static String wordOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** The same kind with one more rule. */
  Kind<T> where(Predicate<T> rule, String wantedThen) {
    return new Kind<>(
        name,
        wantedThen,
        raw -> {
          T value = reading.read(raw);
          return value != null && rule.test(value) ? value : null;
        },
        showing);
  }

  @Nullable T read(Raw raw) {
    return reading.read(raw);
  }

  /** What to write instead of a value that was not accepted. */
  String complaint(Raw raw) {
    if (raw instanceof Raw.Text text && read(text.untyped()) != null) {
      return "give %s, %s quotes"
          .formatted(wanted, text.style() == Raw.Style.QUOTED ? "without" : "in");
    }
    return "give " + wanted;
  }

  private static <T> @Nullable T made(Function<String, T> type, String text) {
    try {
      return type.apply(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Integer integer(Raw raw) {
    if (!(raw instanceof Raw.Text text) || !text.isNumber()) return null;
    return text.text().matches("-?[0-9]{1,10}") ? made(Integer::valueOf, text.text()) : null;
  }

  private static @Nullable Double decimal(Raw raw) {
    if (!(raw instanceof Raw.Text text) || !text.isNumber()) return null;
    return text.text().matches("-?[0-9]{1,12}(\\.[0-9]{1,9})?")
        ? made(Double::valueOf, text.text())
        : null;
  }

  private static @Nullable List<String> texts(Raw raw) {
    if (raw instanceof Raw.Text text) {
      if (text.style() != Raw.Style.UNTYPED || text.text().isBlank()) return null;
      // As a variable has it, with or without the brackets that config show puts around it.
      String bare = text.text().strip().replaceFirst("^\\[(.*)]$", "$1");
      return Stream.of(bare.split(",", -1)).map(String::strip).toList();
    }
    if (!(raw instanceof Raw.Items list) || list.items().isEmpty()) return null;
    boolean allTexts =
        list.items().stream().allMatch(each -> each instanceof Raw.Text text && text.isText());
    return allTexts ? list.items().stream().map(each -> ((Raw.Text) each).text()).toList() : null;
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
