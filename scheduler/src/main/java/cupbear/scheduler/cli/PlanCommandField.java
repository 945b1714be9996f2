// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One field of a JSON document that knows its own name, so that every complaint names it. */
record PlanCommandField(String path, JsonNode node) {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** The input is wrong; the message names the field and says what it should be. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  /** Reads a value out of a field. */
  interface Reader<T> {
    T read(PlanCommandField field) throws Wrong;
  }

  /** An object with these fields and no others. */
  PlanCommandField object(String... known) throws Wrong {
    if (!node.isObject()) throw wrong("an object with " + String.join(", ", known));
    Set<String> unknown = new HashSet<>();
    node.fieldNames().forEachRemaining(unknown::add);
    Arrays.asList(known).forEach(unknown::remove);
    if (unknown.isEmpty()) return this;
    String first = unknown.stream().sorted().toList().getFirst();
    throw new Wrong(
        "%s is not a field; known are %s".formatted(get(first).path, String.join(", ", known)));
  }

  boolean isPresent() {
    return !node.isMissingNode() && !node.isNull();
  }

  PlanCommandField get(String name) {
    JsonNode child = node.get(name);
    String at = path.isEmpty() ? name : path + "." + name;
    return new PlanCommandField(at, child == null ? MissingNode.getInstance() : child);
  }

  <T> T or(T otherwise, Reader<T> reader) throws Wrong {
    return isPresent() ? reader.read(this) : otherwise;
  }

  <T> @Nullable T orNull(Reader<T> reader) throws Wrong {
    return isPresent() ? reader.read(this) : null;
  }

  String text() throws Wrong {
    if (!node.isTextual()) throw wrong("a text");
    return node.textValue();
  }

  int count() throws Wrong {
    if (!node.canConvertToExactIntegral() || !node.canConvertToInt() || node.intValue() < 0) {
      throw wrong("a whole number, 0 or more");
    }
    return node.intValue();
  }

  double number() throws Wrong {
    if (!node.isNumber()) throw wrong("a number");
    return node.doubleValue();
  }

  boolean flag() throws Wrong {
    if (!node.isBoolean()) throw wrong("true or false");
    return node.booleanValue();
  }

  Instant instant() throws Wrong {
    String expected = "a moment such as \"2026-11-18T12:00:00Z\"";
    if (!node.isTextual()) throw wrong(expected);
    try {
      return Instant.parse(node.textValue());
    } catch (DateTimeParseException e) {
      throw wrong(expected);
    }
  }

  Duration duration() throws Wrong {
    Matcher span = SPAN.matcher(node.isTextual() ? node.textValue() : "");
    if (!span.matches()) throw wrong("a duration such as \"500ms\", \"30s\", \"5m\" or \"12h\"");
    long count = Long.parseLong(span.group(1));
    return switch (span.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  <E extends Enum<E>> E word(Class<E> type) throws Wrong {
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .toList();
    if (!node.isTextual() || !words.contains(node.textValue())) {
      throw wrong("one of " + String.join(", ", words));
    }
    return Enum.valueOf(type, node.textValue().toUpperCase(Locale.ROOT));
  }

  /** A name of ours, whose own type says what it may look like. */
  <T> T named(Function<String, T> type) throws Wrong {
    String value = text();
    return checked(() -> type.apply(value));
  }

  /** Makes a value; a complaint of its type becomes a complaint about this field. */
  <T> T checked(Supplier<T> making) throws Wrong {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw new Wrong("%s: %s".formatted(path, e.getMessage()));
    }
  }

  <T> List<T> list(Reader<T> reader) throws Wrong {
    if (!isPresent()) return List.of();
    if (!node.isArray()) throw wrong("a list");
    List<T> values = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      values.add(reader.read(new PlanCommandField(path + "[" + i + "]", node.get(i))));
    }
    return values;
  }

  Map<String, String> texts() throws Wrong {
    if (!node.isObject()) throw wrong("an object of texts");
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      values.put(each.getKey(), get(each.getKey()).text());
    }
    return values;
  }

  Wrong wrong(String expected) {
    String is = isPresent() ? "is " + shown() : "is missing";
    return new Wrong("%s %s; give %s".formatted(path.isEmpty() ? "it" : path, is, expected));
  }

  private String shown() {
    String text = node.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
