// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the named values of a body or a query, one after another, and keeps all that is wrong. What
 * was not asked for by the end is unknown, and wrong too.
 */
final class Fields {
  /** Reads one value; an {@link IllegalArgumentException} says what is wrong with it. */
  interface Reading<T> {
    T read(Object value);
  }

  /** A value that was read, or is absent, or was wrong. */
  static final class Slot<T> {
    private final @Nullable T value;

    private Slot(@Nullable T value) {
      this.value = value;
    }

    @Nullable T get() {
      return value;
    }

    T or(T otherwise) {
      return value == null ? otherwise : value;
    }

    /** Of a required one, once nothing was wrong. */
    T must() {
      if (value == null) throw new IllegalStateException("a required value is missing");
      return value;
    }
  }

  private final Map<String, @Nullable Object> values;
  private final Set<String> asked = new HashSet<>();
  private final List<FieldError> errors = new ArrayList<>();

  Fields(Map<String, @Nullable Object> values) {
    this.values = values;
  }

  <T> Slot<T> required(String name, Reading<T> reading) {
    if (!values.containsKey(name)) {
      asked.add(name);
      wrong(name, "is missing");
      return new Slot<>(null);
    }
    return optional(name, reading);
  }

  <T> Slot<T> optional(String name, Reading<T> reading) {
    asked.add(name);
    if (!values.containsKey(name)) return new Slot<>(null);
    Object value = values.get(name);
    if (value == null) {
      wrong(name, "is null; leave it out instead");
      return new Slot<>(null);
    }
    try {
      return new Slot<>(reading.read(value));
    } catch (IllegalArgumentException why) {
      wrong(name, "" + why.getMessage());
      return new Slot<>(null);
    }
  }

  void wrong(String field, String why) {
    errors.add(new FieldError(field, why));
  }

  /** The whole, if nothing was wrong and nothing is left over. */
  <T> Parsed<T> give(Supplier<T> whole) {
    for (String name : values.keySet()) {
      if (!asked.contains(name)) {
        wrong(name, "is not known here; there is: " + String.join(", ", sorted(asked)));
      }
    }
    return errors.isEmpty() ? new Parsed.Good<>(whole.get()) : new Parsed.Bad<>(errors);
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }

  // ---- readings

  static String text(Object value) {
    if (value instanceof String text) return text;
    throw new IllegalArgumentException("must be a text");
  }

  static Reading<String> text(Pattern shape, String rule) {
    return value -> {
      String text = text(value);
      if (shape.matcher(text).matches()) return text;
      throw new IllegalArgumentException("must be " + rule);
    };
  }

  static Reading<String> text(int most) {
    return value -> {
      String text = text(value);
      if (!text.isBlank() && text.length() <= most) return text;
      throw new IllegalArgumentException("must have 1 to %d characters".formatted(most));
    };
  }

  static Reading<Long> whole(long least, long most) {
    return value -> {
      if (value instanceof Long number && number >= least && number <= most) return number;
      throw new IllegalArgumentException(
          "must be a whole number from %d to %d".formatted(least, most));
    };
  }

  static boolean truth(Object value) {
    if (value instanceof Boolean truth) return truth;
    throw new IllegalArgumentException("must be true or false");
  }
}
