// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport;
import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Mark;
import cupbear.load.report.LoadReport.Promise;
import cupbear.scheduler.telemetry.Logs;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * A run in words: how it goes, and how it went. One line that is written over on a terminal, a line
 * every few seconds elsewhere. Threads of the run.
 */
final class LoadText implements LoadRun.Progress {
  private static final long TELL_EVERY_S = 5;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal = Logs.isTerminal();

  LoadText(PrintWriter out) {
    this.out = out;
  }

  @Override
  public synchronized void at(String scenario, Duration since, Tally tally, Ledger ledger) {
    if (!terminal && since.toSeconds() % TELL_EVERY_S != 0) return;
    Counts counts = tally.counts();
    String line =
        String.format(
            Locale.ROOT,
            "%-14s %4d s  %,6d served, %4d there now, p95 %.1f ms, %d refused, %d lost, %d broken",
            scenario,
            since.toSeconds(),
            counts.granted(),
            tally.now(),
            tally.queue().getValueAtPercentile(95) / 1000.0,
            counts.refused() + counts.unanswered(),
            counts.lost(),
            ledger.brokenSoFar());
    if (terminal) out.print(CLEAR_LINE + line);
    else out.println(line);
    out.flush();
  }

  @Override
  public synchronized void marked(String scenario, Mark mark) {
    line("%-14s %4d s  %s".formatted(scenario, mark.at().toSeconds(), mark.what()));
  }

  synchronized void done(LoadReport.Scenario scenario) {
    line(row(scenario));
    scenario.thresholds().stream()
        .filter(each -> !each.met())
        .forEach(each -> line("  missed: %s: %s".formatted(each.rule(), each.seen())));
    scenario.promises().stream()
        .filter(each -> !each.kept())
        .forEach(each -> each.broken().forEach(what -> line("  BROKEN: " + what)));
  }

  private void line(String text) {
    out.println(terminal ? CLEAR_LINE + text : text);
    out.flush();
  }

  /** What stands on standard output at the end. */
  void summary(LoadReport report) {
    out.printf(
        "%-14s %8s %6s %9s %9s %9s %9s %8s %5s  %s%n",
        "SCENARIO",
        "SERVED",
        "MOST",
        "P50 MS",
        "P95 MS",
        "P99 MS",
        "MAX MS",
        "REFUSED",
        "LOST",
        "");
    report.scenarios().forEach(each -> out.println(row(each)));
    long served = report.scenarios().stream().mapToLong(each -> each.counts().granted()).sum();
    long checks =
        report.scenarios().stream()
            .flatMap(each -> each.promises().stream())
            .mapToLong(Promise::checks)
            .sum();
    long broken =
        report.scenarios().stream()
            .flatMap(each -> each.promises().stream())
            .filter(each -> !each.kept())
            .count();
    long missed =
        report.scenarios().stream()
            .flatMap(each -> each.thresholds().stream())
            .filter(each -> !each.met())
            .count();
    out.printf(
        Locale.ROOT,
        "%,d sessions, %,d checks: %s%n",
        served,
        checks,
        report.passed()
            ? "all promises kept, all thresholds met"
            : "%d promises broken, %d thresholds missed".formatted(broken, missed));
    out.flush();
  }

  void json(LoadReport report) {
    out.println(cupbear.load.report.ReportJson.text(report));
    out.flush();
  }

  private static String row(LoadReport.Scenario each) {
    Counts counts = each.counts();
    return String.format(
        Locale.ROOT,
        "%-14s %,8d %6d %9.1f %9.1f %9.1f %9.1f %8d %5d  %s",
        each.name(),
        counts.granted(),
        counts.mostAtOnce(),
        each.queue().getValueAtPercentile(50) / 1000.0,
        each.queue().getValueAtPercentile(95) / 1000.0,
        each.queue().getValueAtPercentile(99) / 1000.0,
        each.queue().getMaxValue() / 1000.0,
        counts.refused() + counts.unanswered(),
        counts.lost(),
        verdict(each));
  }

  private static String verdict(LoadReport.Scenario each) {
    if (each.passed()) return "passed";
    long broken = each.promises().stream().filter(promise -> !promise.kept()).count();
    long missed = each.thresholds().stream().filter(threshold -> !threshold.met()).count();
    return "FAILED: %d promises broken, %d thresholds missed".formatted(broken, missed);
  }
}
