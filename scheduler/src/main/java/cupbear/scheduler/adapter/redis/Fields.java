// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Redis hash as a reply brings it, and the plain pieces of other replies. */
record Fields(Map<String, String> values) {

  static Fields of(Object flat) {
    List<?> parts = list(flat);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < parts.size(); i += 2)
      values.put(text(parts.get(i)), text(parts.get(i + 1)));
    return new Fields(values);
  }

  static List<?> list(Object reply) {
    return (List<?>) reply;
  }

  static String text(Object reply) {
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
  }

  static List<String> texts(Object reply) {
    return list(reply).stream().map(Fields::text).toList();
  }

  static Instant instant(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }

  static String millis(Instant at) {
    return Long.toString(at.toEpochMilli());
  }

  static String millis(Duration length) {
    return Long.toString(length.toMillis());
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Empty when the hash does not have it. */
  String get(String field) {
    return values.getOrDefault(field, "");
  }

  long number(String field) {
    String value = get(field);
    return value.isEmpty() ? 0 : Long.parseLong(value);
  }

  Instant instantOf(String field) {
    return Instant.ofEpochMilli(number(field));
  }

  @Nullable Instant maybeInstant(String field) {
    return get(field).isEmpty() ? null : instantOf(field);
  }

  @Nullable String maybe(String field) {
    String value = get(field);
    return value.isEmpty() ? null : value;
  }
}
