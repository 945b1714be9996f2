// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Mark;
import cupbear.load.report.LoadReport.Promise;
import cupbear.load.report.LoadReport.Scenario;
import cupbear.load.report.LoadReport.Slice;
import cupbear.load.report.LoadReport.Threshold;
import java.time.Duration;
import java.util.List;

/** One scenario on the page: what it does, what had to hold, what was seen. */
final class ScenarioPart {
  /** Enough to see what kind of trouble it is; report.json has the others. */
  private static final int MOST_BROKEN = 30;

  private static final int MOST_ROWS = 20;

  private final Markup out;
  private final Scenario scenario;

  private ScenarioPart(Markup out, Scenario scenario) {
    this.out = out;
    this.scenario = scenario;
  }

  static void write(Markup out, Scenario scenario) {
    new ScenarioPart(out, scenario).write();
  }

  private void write() {
    out.open("section", "class", "scenario", "id", Page.slug(scenario.name()));
    out.open("h2").text(scenario.name());
    Page.badge(out, scenario.passed(), "passed", "failed");
    out.close("h2").leaf("p", scenario.what());
    counts(scenario.counts());
    thresholds();
    promises();
    if (!scenario.marks().isEmpty()) faults();
    out.leaf("h3", "Queue time over time");
    if (scenario.slices().isEmpty()) {
      out.leaf("p", "No request was answered in this scenario.", "class", "note");
    } else {
      thinned(scenario.slices().size(), "the largest figures");
      QueuePlot.write(out, scenario);
      slices();
    }
    out.leaf("h3", "Machines by region");
    thinned(scenario.bands().size(), "the moment with the fewest warm Machines");
    BandsPlot.write(out, scenario);
    out.leaf("h3", "Queue time by percentile, warm-up excluded");
    PercentilePlot.write(out, scenario);
    out.close("section");
  }

  private void counts(Counts counts) {
    out.leaf(
        "p",
        ("%s requests in %s: %s granted, %s refused, %s unanswered; %s sessions ended, %s lost."
                + " At most %s at once. The generator sent %s late and dropped %s.")
            .formatted(
                Figures.count(counts.arrivals()),
                Figures.span(scenario.length()),
                Figures.count(counts.granted()),
                Figures.count(counts.refused()),
                Figures.count(counts.unanswered()),
                Figures.count(counts.ended()),
                Figures.count(counts.lost()),
                Figures.count(counts.mostAtOnce()),
                Figures.count(counts.late()),
                Figures.count(counts.dropped())),
        "class",
        "note");
  }

  private void thresholds() {
    head("rules", "threshold", "seen", "verdict");
    for (Threshold threshold : scenario.thresholds()) {
      out.open("tr").leaf("th", threshold.rule(), "scope", "row").leaf("td", threshold.seen());
      out.open("td");
      Page.badge(out, threshold.met(), "met", "missed");
      out.close("td").close("tr");
    }
    out.close("tbody").close("table").close("div");
  }

  private void promises() {
    head("rules", "promise", "checked", "verdict");
    for (Promise promise : scenario.promises()) {
      out.open("tr").leaf("th", promise.name(), "scope", "row");
      out.leaf("td", Figures.count(promise.checks()) + " times").open("td");
      if (promise.kept() && promise.checks() == 0) out.text("– nothing to check");
      else Page.badge(out, promise.kept(), "kept", broken(promise.broken().size()));
      out.close("td").close("tr");
    }
    out.close("tbody").close("table").close("div");
    for (Promise promise : scenario.promises()) if (!promise.kept()) listBroken(promise);
  }

  private static String broken(int times) {
    return times == 1 ? "broken once" : "broken " + Figures.count(times) + " times";
  }

  private void listBroken(Promise promise) {
    out.leaf("p", promise.name() + ": what was seen instead").open("ul", "class", "broken");
    for (String seen : promise.broken().stream().limit(MOST_BROKEN).toList()) out.leaf("li", seen);
    int more = promise.broken().size() - MOST_BROKEN;
    if (more > 0) out.leaf("li", "and " + Figures.count(more) + " more in report.json");
    out.close("ul");
  }

  private void head(String style, String... columns) {
    out.open("div", "class", "wide").open("table", "class", style).open("thead").open("tr");
    for (String column : columns) out.leaf("th", column, "scope", "col");
    out.close("tr").close("thead").open("tbody");
  }

  private void faults() {
    out.leaf("h3", "What was done to it").open("ol", "class", "faults");
    for (Mark mark : MarkLabels.inOrder(scenario.marks())) {
      out.leaf("li", Figures.span(mark.at()) + ": " + mark.what());
    }
    out.close("ol");
  }

  private void thinned(int moments, String which) {
    int each = Math.ceilDiv(moments, Thinned.COLUMNS);
    if (each < 2) return;
    out.leaf("p", "Of every " + each + " moments in report.json: " + which + ".", "class", "note");
  }

  /** The plot in words, for those who cannot see it or want to copy it. */
  private void slices() {
    List<Slice> slices = Thinned.slices(scenario.slices(), MOST_ROWS);
    double width = Thinned.width(scenario.slices(), scenario.length(), MOST_ROWS);
    out.open("details").leaf("summary", "The same as a table");
    head("slices", "from", "granted", "refused", "p50 ms", "p95 ms", "p99 ms", "slowest ms");
    for (Slice slice : slices) {
      out.open("tr");
      cell(Figures.span(slice.at()));
      cell(Figures.count(slice.granted()));
      cell(Figures.count(slice.refused()));
      for (long micros : new long[] {slice.p50us(), slice.p95us(), slice.p99us(), slice.maxUs()}) {
        cell(slice.granted() == 0 ? "–" : Figures.millis(micros));
      }
      out.raw("</tr>\n");
    }
    out.close("tbody").close("table").close("div");
    if (slices.size() < scenario.slices().size()) {
      String span = Figures.span(Duration.ofMillis(Math.round(width * 1000)));
      out.leaf("p", "A row is the worst of its slices in " + span + ".", "class", "note");
    }
    out.close("details");
  }

  private void cell(String text) {
    out.raw("<td>").text(text).raw("</td>");
  }
}
