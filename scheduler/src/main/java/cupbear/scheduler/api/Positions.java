// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.PoolName;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How far a reader has read each pool's journal, as one text: the journal's id where one pool is
 * read, {@code pool:id} with commas where several are. Each pool counts on its own, so one id alone
 * would lose or repeat what the others wrote.
 */
final class Positions {
  private static final Pattern ID = Pattern.compile("[0-9]{1,18}-[0-9]{1,19}");
  private static final Pattern NAMED =
      Pattern.compile("([a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?):([0-9]{1,18}-[0-9]{1,19})");

  private final SortedMap<PoolName, String> positions = new TreeMap<>();

  /** Where each pool was left; a bare id is meant for all of them. Empty when it cannot be read. */
  static Optional<Map<String, String>> read(String text) {
    if (isId(text)) return Optional.of(Map.of("", text));
    Map<String, String> found = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      Matcher parts = NAMED.matcher(each);
      if (!parts.matches() || !isId(parts.group(2))) return Optional.empty();
      found.put(parts.group(1), parts.group(2));
    }
    return Optional.of(found);
  }

  private static boolean isId(String text) {
    if (!ID.matcher(text).matches()) return false;
    String number = text.substring(text.indexOf('-') + 1);
    return number.length() < 19 || number.compareTo("" + Long.MAX_VALUE) <= 0;
  }

  void put(PoolName pool, String position) {
    positions.put(pool, position);
  }

  String get(PoolName pool) {
    return positions.getOrDefault(pool, "");
  }

  @Override
  public String toString() {
    if (positions.size() == 1) return positions.values().iterator().next();
    return positions.entrySet().stream()
        .map(each -> each.getKey() + ":" + each.getValue())
        .collect(Collectors.joining(","));
  }
}
