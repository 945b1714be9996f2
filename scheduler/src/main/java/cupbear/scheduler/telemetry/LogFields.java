// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** What a log line says beyond its message, in order, without secrets. */
final class LogFields {
  /** What every line has; a fact of the same name gets another one. */
  private static final Set<String> OWN = Set.of("ts", "level", "msg", "logger", "stack");

  private LogFields() {}

  /** Numbers and truths as they are, everything else as text. */
  static Map<String, Object> of(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<KeyValuePair> facts = event.getKeyValuePairs();
    if (facts != null) facts.forEach(fact -> fields.put(name(fact.key), plain(fact.value)));
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) fields.put("stack", masked(ThrowableProxyUtil.asString(thrown)));
    return fields;
  }

  private static String name(String key) {
    return OWN.contains(key) ? "field_" + key : key;
  }

  private static Object plain(@Nullable Object value) {
    return value instanceof Number || value instanceof Boolean
        ? value
        : masked(String.valueOf(value));
  }

  static String masked(String text) {
    return Masking.of(text);
  }
}
