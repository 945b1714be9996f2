// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Counts;
import org.HdrHistogram.Histogram;

/** A run as a table in Markdown, for a README. */
final class ResultsTable {
  private static final String HEAD =
      """
      | scenario | sessions | at once | p50 ms | p95 ms | p99 ms | refused | lost | promises | |
      |---|---|---|---|---|---|---|---|---|---|
      """;

  private ResultsTable() {}

  static String of(LoadReport report) {
    StringBuilder text = new StringBuilder(HEAD);
    report.scenarios().forEach(each -> text.append(row(each)));
    LoadReport.About about = report.about();
    long sessions = report.scenarios().stream().mapToLong(each -> each.counts().granted()).sum();
    return text.append(
            "\n%s sessions in all. `%s`, commit %s, %d cores, Java %s, Redis %s.\n"
                .formatted(
                    Figures.count(sessions),
                    about.command(),
                    about.commit(),
                    about.cores(),
                    about.java(),
                    about.redis()))
        .toString();
  }

  private static String row(LoadReport.Scenario each) {
    Counts counts = each.counts();
    Histogram queue = each.queue();
    long kept = each.promises().stream().filter(LoadReport.Promise::kept).count();
    return "| `%s` | %s | %d | %s | %s | %s | %s | %s | %d of %d | %s |\n"
        .formatted(
            each.name(),
            Figures.count(counts.granted()),
            counts.mostAtOnce(),
            Figures.millis(queue.getValueAtPercentile(50)),
            Figures.millis(queue.getValueAtPercentile(95)),
            Figures.millis(queue.getValueAtPercentile(99)),
            Figures.count(counts.refused() + counts.unanswered()),
            Figures.count(counts.lost()),
            kept,
            each.promises().size(),
            each.passed() ? "passed" : "failed");
  }
}
