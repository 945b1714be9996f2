// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was written, before anybody asked what it means. */
sealed interface Raw {
  Origin at();

  /** What was written, for a complaint. */
  String shown();

  /** How a single value was written; an environment variable says nothing about its type. */
  enum Style {
    PLAIN,
    QUOTED,
    NUMBER,
    FLAG,
    NOTHING,
    UNTYPED
  }

  /** One value. */
  record Text(String text, Style style, Origin at) implements Raw {
    boolean isText() {
      return style == Style.PLAIN || style == Style.QUOTED || style == Style.UNTYPED;
    }

    boolean isNumber() {
      return style == Style.NUMBER || style == Style.UNTYPED;
    }

    boolean isFlag() {
      return style == Style.FLAG || style == Style.UNTYPED;
    }

    Text untyped() {
      return new Text(text, Style.UNTYPED, at);
    }

    @Override
    public String shown() {
      if (style == Style.NOTHING || text.isEmpty()) return "empty";
      return style == Style.QUOTED ? '"' + text + '"' : text;
    }
  }

  /** A list. */
  record Items(List<Raw> items, Origin at) implements Raw {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return items.stream().map(Raw::shown).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  /** Keys and values, in written order. */
  record Section(Map<String, Entry> entries, Origin at) implements Raw {
    public Section {
      entries = new LinkedHashMap<>(entries);
    }

    @Override
    public String shown() {
      return entries.isEmpty() ? "{}" : "a section";
    }
  }

  /** A value with the place of its key. */
  record Entry(Origin at, Raw value) {}
}
