// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What stands in for a field that Fly left out: empty text, empty list, empty map, the epoch. */
final class Absent {

  private Absent() {}

  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  static Instant time(@Nullable Instant value) {
    return value == null ? Instant.EPOCH : value;
  }

  static <T> List<T> list(@Nullable List<T> values) {
    if (values == null || values.isEmpty()) {
      return List.of();
    }
    return values.stream().filter(Objects::nonNull).toList();
  }

  /** Keeps the order, drops keys without a value: a null in a JSON map means "not there". */
  static <V> Map<String, V> map(@Nullable Map<String, V> values) {
    if (values == null || values.isEmpty()) {
      return Map.of();
    }
    Map<String, V> kept = LinkedHashMap.newLinkedHashMap(values.size());
    values.forEach((key, value) -> {
      if (value != null) {
        kept.put(key, value);
      }
    });
    return Collections.unmodifiableMap(kept);
  }
}
