// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.probe.ProbeReport;
import cupbear.probe.StepTime;
import cupbear.probe.ViewerReport;
import java.io.PrintWriter;
import java.util.Locale;

/** What {@code cupbear probe} found, for people. */
final class ProbeText {

  private ProbeText() {}

  /** The first round with every step, the others in a line. */
  static void round(PrintWriter out, int round, ViewerReport report) {
    if (round == 0 || !report.healthy()) {
      if (round > 0) out.printf("round %d%n", round + 1);
      for (ViewerReport.Answer answer : report.answers()) part(out, answer);
    } else {
      StringBuilder times = new StringBuilder();
      for (ViewerReport.Answer answer : report.answers()) {
        times.append("  ").append(answer.part().word()).append(' ');
        times.append(shown(answer.report()));
      }
      out.printf("round %d  READY%s%n", round + 1, times);
    }
    out.flush();
  }

  private static void part(PrintWriter out, ViewerReport.Answer answer) {
    ProbeReport report = answer.report();
    out.printf(
        "%-8s %-14s %s%n",
        answer.part().word(), report.result().word(), report.result().sentence());
    for (StepTime step : report.steps()) {
      out.printf(
          Locale.ROOT,
          "           %-10s %9.1f ms%n",
          step.step().word(),
          ProbeView.millis(step.took()));
    }
  }

  private static String shown(ProbeReport report) {
    return String.format(Locale.ROOT, "%.1f ms", ProbeView.millis(report.took()));
  }

  static void verdict(PrintWriter out, ProbeView view) {
    if (view.rounds() > 1) {
      out.printf("rounds   %d of %d ready%n", view.readyRounds(), view.rounds());
    }
    String verdict = view.verdict().startsWith("READY") ? "READY" : "NOT READY";
    out.printf("verdict  %s: %s%n", verdict, view.sentence());
    out.printf("counts   %s%n", counts(view.weight()));
    out.printf("next     %s%n", view.next());
    out.flush();
  }

  private static String counts(String weight) {
    return switch (weight) {
      case "healthy" -> "healthy: the scheduler would keep it, or make it warm";
      case "strike" -> "strike: unassignable at once, destroyed after three in a row";
      case "alert" -> "alert: unassignable, but nothing is destroyed for it";
      default -> "never: this says nothing about the viewer";
    };
  }
}
