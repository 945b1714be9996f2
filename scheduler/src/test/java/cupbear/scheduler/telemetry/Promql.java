// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Just enough of PromQL to find the names of metrics in it. */
final class Promql {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Set<String> WORDS =
      Set.of(
          "by",
          "without",
          "on",
          "ignoring",
          "group_left",
          "group_right",
          "bool",
          "or",
          "and",
          "unless",
          "offset");

  private Promql() {}

  /** All metrics that are scraped, of ours. */
  static Set<String> metrics() {
    return java.util.stream.Stream.of(Metric.values())
        .flatMap(metric -> metric.series().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> recorded(List<Map<?, ?>> rules) {
    return rules.stream()
        .map(rule -> String.valueOf(rule.get("record")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What is left when labels, ranges, groupings, functions and numbers are taken away. */
  static Set<String> names(String expression) {
    String bare =
        expression
            .replaceAll("\"[^\"]*\"", "")
            .replaceAll("\\{[^}]*}", "")
            .replaceAll("\\[[^]]*]", "")
            .replaceAll("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)", " ");
    Set<String> names = new TreeSet<>();
    Matcher word = NAME.matcher(bare);
    while (word.find()) {
      boolean number = word.start() > 0 && Character.isDigit(bare.charAt(word.start() - 1));
      boolean function = bare.substring(word.end()).stripLeading().startsWith("(");
      if (!number && !function && !WORDS.contains(word.group())) names.add(word.group());
    }
    return names;
  }
}
