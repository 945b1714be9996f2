// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.telemetry.Metric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One runbook per alert, one alert per runbook; the rest are procedures, and named here. */
class RunbooksTest {
  private static final Set<String> PROCEDURES =
      Set.of(
          "confirm-6pn-only",
          "lost-redis",
          "pin-a-machine",
          "raise-the-machine-limit",
          "release-drain",
          "rotate-the-fly-token");

  private static final List<String> ALERT_SECTIONS =
      List.of(
          "What it means",
          "What users feel",
          "First look",
          "Decide",
          "Act",
          "Verify",
          "Afterwards");
  private static final List<String> PROCEDURE_SECTIONS =
      List.of("What it is for", "What users feel", "Steps", "Verify", "Afterwards");

  private static final Pattern ALERT = Pattern.compile("^\\s*- alert: *(\\w+)", Pattern.MULTILINE);
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b(cupbear[_:][a-z][a-z0-9_:]+|warm_available|warm_unhealthy|queue_depth"
              + "|assign_latency_seconds\\w*|machine_replace_count\\w*)\\b");

  static List<Path> runbooks() {
    return Pages.in(Pages.RUNBOOKS, ".md").stream()
        .filter(page -> !page.endsWith("README.md"))
        .toList();
  }

  @Test
  void everyAlertHasARunbookAndEveryRunbookAnAlert() {
    Set<String> alerts = alerts();
    assertThat(alerts).as("alerts in ops/prometheus").isNotEmpty();
    Set<String> explained = names(runbooks());
    explained.removeAll(PROCEDURES);
    assertThat(explained)
        .as("ops/runbooks against the alerts of ops/prometheus, in kebab case")
        .containsExactlyInAnyOrderElementsOf(
            alerts.stream().map(Pages::kebab).collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void everyAlertPointsAtItsRunbook() {
    String rules = rules();
    assertThat(alerts())
        .allSatisfy(alert ->
            assertThat(rules).contains("ops/runbooks/%s.md".formatted(Pages.kebab(alert))));
  }

  @Test
  void everyProcedureIsThere() {
    assertThat(names(runbooks())).containsAll(PROCEDURES);
  }

  @ParameterizedTest
  @MethodSource("runbooks")
  void everyRunbookHasTheSameSectionsInTheSameOrder(Path page) {
    String name = name(page);
    List<String> sections =
        Pages.prose(Pages.text(page))
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    assertThat(sections)
        .as(Pages.name(page))
        .isEqualTo(PROCEDURES.contains(name) ? PROCEDURE_SECTIONS : ALERT_SECTIONS);
  }

  @ParameterizedTest
  @MethodSource("runbooks")
  void aRunbookIsNamedAsItsFileAndFitsAScreenOrTwo(Path page) {
    String text = Pages.text(page);
    String title = text.lines().findFirst().orElse("").replace("# ", "");
    String file = PROCEDURES.contains(name(page)) ? title.replace(' ', '-') : Pages.kebab(title);
    assertThat(file.toLowerCase(Locale.ROOT)).isEqualTo(name(page));
    assertThat(text.lines().count()).as("lines of %s", Pages.name(page)).isLessThan(110);
  }

  @Test
  void theIndexNamesAllOfThem() {
    String index = Pages.text(Pages.RUNBOOKS.resolve("README.md"));
    assertThat(runbooks())
        .allSatisfy(page -> assertThat(index).contains("](" + page.getFileName() + ")"));
  }

  @Test
  void everyMetricOnAPageExists() {
    String known =
        Stream.of(Metric.values()).map(Metric::family).collect(Collectors.joining(" ")) + rules();
    List<String> unknown = new ArrayList<>();
    for (Path page : pagesThatNameMetrics()) {
      Matcher metric = METRIC.matcher(Pages.text(page));
      while (metric.find()) {
        String base = metric.group().replaceAll("_(bucket|count|sum)$", "");
        if (!known.contains(base)) unknown.add(Pages.name(page) + ": " + metric.group());
      }
    }
    assertThat(unknown).as("neither a Metric nor a recording rule").isEmpty();
  }

  private static List<Path> pagesThatNameMetrics() {
    List<Path> pages = new ArrayList<>(Pages.in(Pages.RUNBOOKS, ".md"));
    pages.addAll(Pages.in(Pages.ROOT.resolve("docs/how-to"), ".md"));
    return pages;
  }

  private static Set<String> alerts() {
    Set<String> alerts = new TreeSet<>();
    Matcher alert = ALERT.matcher(rules());
    while (alert.find()) alerts.add(alert.group(1));
    return alerts;
  }

  /** The rule files alone: the files that test them name alerts, too. */
  private static String rules() {
    return Stream.of(".yaml", ".yml")
        .flatMap(ending -> Pages.in(Pages.RULES, ending).stream())
        .map(Pages::text)
        .filter(text -> Pattern.compile("^groups:", Pattern.MULTILINE).matcher(text).find())
        .collect(Collectors.joining("\n"));
  }

  private static Set<String> names(List<Path> pages) {
    return pages.stream().map(RunbooksTest::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(Path page) {
    return page.getFileName().toString().replace(".md", "");
  }
}
