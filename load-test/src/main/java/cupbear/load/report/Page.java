// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.About;
import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Promise;
import cupbear.load.report.LoadReport.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The report as one HTML page: no script, nothing to load, readable without colours. */
final class Page {
  private static final String STYLE = "report.css";

  /** Whose figures stand on top: the contract is about it. */
  private static final String CONTRACT_SCENARIO = "steady";

  private final Markup out = new Markup();
  private final LoadReport report;

  private Page(LoadReport report) {
    this.report = report;
  }

  static String of(LoadReport report) {
    return new Page(report).write();
  }

  /** A name that is safe in a file's name and in a link. */
  static String slug(String name) {
    String slug = name.replaceAll("[^A-Za-z0-9_-]+", "-");
    return slug.isEmpty() ? "-" : slug;
  }

  /** A verdict in a word, a sign and a colour. */
  static void badge(Markup out, boolean isGood, String good, String bad) {
    out.open("span", "class", "badge " + (isGood ? "good" : "bad"))
        .text(isGood ? "✓ " + good : "✗ " + bad)
        .raw("</span>");
  }

  private String write() {
    out.raw("<!doctype html>\n").open("html", "lang", "en").open("head");
    out.raw("<meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.leaf("title", "Cupbear load report: " + (report.passed() ? "passed" : "failed"));
    out.open("style").raw(style()).close("style").close("head").open("body").open("main");
    out.leaf("h1", "Cupbear load report");
    verdict();
    tiles();
    about(report.about());
    table();
    for (Scenario scenario : report.scenarios()) ScenarioPart.write(out, scenario);
    limits();
    return out.close("main").close("body").close("html").toString();
  }

  private void verdict() {
    boolean passed = report.passed();
    out.open("p", "class", "verdict " + (passed ? "good" : "bad"), "role", "status");
    out.open("strong").text(passed ? "✓ Passed." : "✗ Failed.").raw("</strong> ");
    List<String> failed =
        report.scenarios().stream().filter(each -> !each.passed()).map(Scenario::name).toList();
    out.text(
        passed
            ? "Every threshold was met and no promise was seen broken."
            : "%d of %d scenarios: %s. Each says below what was seen."
                .formatted(failed.size(), report.scenarios().size(), String.join(", ", failed)));
    out.close("p");
  }

  private void tiles() {
    long granted = report.scenarios().stream().mapToLong(each -> each.counts().granted()).sum();
    long passed = report.scenarios().stream().filter(Scenario::passed).count();
    List<Promise> promises =
        report.scenarios().stream().flatMap(each -> each.promises().stream()).toList();
    long checks = promises.stream().mapToLong(Promise::checks).sum();
    long broken = promises.stream().mapToLong(each -> each.broken().size()).sum();
    out.open("dl", "class", "tiles");
    tile("scenarios passed", passed + " of " + report.scenarios().size());
    tile("sessions granted", Figures.count(granted));
    tile("checks of promises", Figures.count(checks));
    tile("violations seen", Figures.count(broken));
    report.scenarios().stream()
        .filter(each -> each.name().equals(CONTRACT_SCENARIO))
        .filter(each -> each.queue().getTotalCount() > 0)
        .findFirst()
        .ifPresent(steady ->
            tile(
                "p95 queue time, steady, up to " + steady.counts().mostAtOnce() + " at once",
                Figures.millis(steady.queue().getValueAtPercentile(95)) + " ms"));
    out.close("dl");
  }

  private void tile(String what, String figure) {
    out.open("div").leaf("dt", what).leaf("dd", figure).close("div");
  }

  private void about(About about) {
    out.leaf("h2", "What was measured where").open("div", "class", "wide");
    out.open("table", "class", "about").open("tbody");
    row("began", about.began().toString());
    row("measured", about.target());
    row("Cupbear", about.version() + ", commit " + about.commit());
    row(
        "machine",
        about.cores() + " cores, " + Figures.gibibytes(about.memoryBytes()) + ", " + about.os());
    row("Java", about.java());
    row("Redis", about.redis());
    row("seed", String.valueOf(about.seed()));
    out.close("tbody").close("table").close("div");
    out.leaf("p", "The same again:", "class", "note");
    out.open("pre").open("code").text(about.command()).raw("</code>").close("pre");
  }

  private void row(String what, String value) {
    out.open("tr").leaf("th", what, "scope", "row").leaf("td", value).close("tr");
  }

  private void table() {
    out.leaf("h2", "Scenarios").open("div", "class", "wide", "tabindex", "0");
    out.open("table", "class", "scenarios").open("thead").open("tr");
    out.leaf("th", "scenario", "scope", "col").leaf("th", "verdict", "scope", "col");
    for (String head :
        List.of(
            "asked",
            "granted",
            "refused",
            "lost",
            "most at once",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "slowest ms")) {
      out.leaf("th", head, "scope", "col", "class", "number");
    }
    out.close("tr").close("thead").open("tbody");
    for (Scenario scenario : report.scenarios()) row(scenario);
    out.close("tbody").close("table").close("div");
    out.leaf(
        "p",
        "Queue time runs from the moment at which a request was meant to be sent to its grant;"
            + " times of refused requests are not in it.",
        "class",
        "note");
  }

  private void row(Scenario scenario) {
    Counts counts = scenario.counts();
    out.open("tr").open("th", "scope", "row");
    out.open("a", "href", "#" + slug(scenario.name())).text(scenario.name()).raw("</a></th>");
    out.open("td");
    badge(out, scenario.passed(), "passed", "failed");
    out.close("td");
    for (long count :
        new long[] {
          counts.arrivals(), counts.granted(), counts.refused(), counts.lost(), counts.mostAtOnce()
        }) {
      out.leaf("td", Figures.count(count), "class", "number");
    }
    Histogram queue = scenario.queue();
    for (double percentile : new double[] {50, 95, 99, 100}) {
      String figure =
          queue.getTotalCount() == 0 ? "–" : Figures.millis(queue.getValueAtPercentile(percentile));
      out.leaf("td", figure, "class", "number");
    }
    out.close("tr");
  }

  private void limits() {
    out.leaf("h2", "What these figures do not say");
    out.leaf(
        "p",
        report.about().target().equals(About.OWN_STACK)
            ? "Load, schedulers, Redis and a simulator of Fly with its viewers shared the %d cores"
                    .formatted(report.about().cores())
                + " of one machine over loopback. There is no network distance and no TLS in the"
                + " figures, and Machines boot as fast as the simulator was told to. What can be"
                + " believed are the promises, the order of things and the shape of the curves;"
                + " your own latencies are found with --api."
            : "The API was called from this one machine; its network path is in every figure. The"
                + " promises were checked by what callers of that API could see; faults were not"
                + " set by this run.");
    out.leaf(
        "p",
        "A promise that was seen kept so many times is not proven. report.json beside this page"
            + " has all figures, the .hgrm files the percentiles of each scenario.");
  }

  private static String style() {
    try (InputStream css = Page.class.getResourceAsStream(STYLE)) {
      if (css == null) throw new IllegalStateException(STYLE + " is missing beside " + Page.class);
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
