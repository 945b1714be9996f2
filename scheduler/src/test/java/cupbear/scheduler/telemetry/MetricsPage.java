// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of docs/reference/metrics.md, as the catalogue gives them. */
final class MetricsPage {
  static final String BEGIN = "<!-- from Metric.java: a test holds this part against it -->\n";
  static final String END = "<!-- until here -->\n";
  private static final String NAMES =
      "| name | kind | labels | known to | what it is |\n|---|---|---|---|---|\n";

  private MetricsPage() {}

  static String text() {
    String names = Stream.of(Metric.values()).map(MetricsPage::row).collect(Collectors.joining());
    return BEGIN
        + "\n## The catalogue\n\n"
        + NAMES
        + names
        + "\n## Label values\n\n| label | of | values |\n|---|---|---|\n"
        + labels()
        + "\n## Buckets\n\nUpper edges in seconds.\n\n| name | edges |\n|---|---|\n"
        + Stream.of(Metric.values())
            .filter(metric -> !metric.buckets().isEmpty())
            .map(metric -> "| `%s` | %s |\n".formatted(metric.family(), edges(metric.buckets())))
            .collect(Collectors.joining())
        + "\n"
        + END;
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            metric.family(),
            Labels.word(metric.kind()),
            metric.labels().isEmpty() ? "–" : code(metric.labels()),
            metric.known().where,
            metric.help());
  }

  private static String labels() {
    return label("outcome", Metric.ASSIGN_LATENCY, Stream.of(Labels.Assign.values()))
        + line("reason", Metric.MACHINE_REPLACE_COUNT, replaced())
        + line("state", Metric.CUPBEAR_MACHINES, Labels.states())
        + line("kind", Metric.CUPBEAR_FINDINGS, Labels.findings())
        + line("action", Metric.CUPBEAR_ACTIONS, Labels.actions())
        + label("outcome", Metric.CUPBEAR_ACTIONS, Stream.of(Labels.Act.values()))
        + line("rule", Metric.CUPBEAR_BREACHES, Labels.RULES)
        + line("depth", Metric.CUPBEAR_PROBES, Labels.DEPTHS)
        + line("verdict", Metric.CUPBEAR_PROBES, Labels.verdicts())
        + line("script", Metric.CUPBEAR_STORE_CALLS, Labels.SCRIPTS)
        + line("outcome", Metric.CUPBEAR_STORE_CALLS, Labels.CALL_OUTCOMES)
        + line("action", Metric.CUPBEAR_FLY_CALLS, Labels.FLY_ACTIONS)
        + line("outcome", Metric.CUPBEAR_FLY_CALLS, Labels.FLY_OUTCOMES)
        + line("kind", Metric.CUPBEAR_FLY_CALL_DURATION, Labels.FLY_KINDS)
        + line("status", Metric.CUPBEAR_API_REQUESTS, Labels.STATUSES)
        + line("reason", Metric.CUPBEAR_AUTH_FAILURES, Labels.AUTH_REASONS);
  }

  private static List<String> replaced() {
    return Stream.concat(
            Labels.REPLACED.stream().map(reason -> reason.word()), Stream.of(Labels.OTHER))
        .toList();
  }

  private static String label(String label, Metric metric, Stream<? extends Enum<?>> values) {
    return line(label, metric, values.map(Labels::word).toList());
  }

  private static String line(String label, Metric metric, List<String> values) {
    return "| `%s` | `%s` | %s |\n".formatted(label, metric.family(), code(values));
  }

  private static String code(List<String> words) {
    return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }

  private static String edges(List<Duration> buckets) {
    return buckets.stream()
        .map(edge -> Double.toString(edge.toMillis() / 1000.0))
        .collect(Collectors.joining(", "));
  }
}
