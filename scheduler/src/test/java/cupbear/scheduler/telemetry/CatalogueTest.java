// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.Outcome;
import cupbear.scheduler.app.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The names, and what people read about them. */
class CatalogueTest {
  /** Maven runs tests in the module's folder. */
  private static final Path ROOT = Path.of("..");

  private static final Set<Metric> CONTRACT =
      EnumSet.range(Metric.WARM_AVAILABLE, Metric.MACHINE_REPLACE_COUNT);

  @Test
  void theTablesOfThePageAreThoseThatTheCatalogueGives() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/reference/metrics.md"));
    int begin = page.indexOf(MetricsPage.BEGIN);
    int end = page.indexOf(MetricsPage.END);
    assertThat(begin).as("the page has a part for the tables").isBetween(0, end);
    String tables = page.substring(begin, end + MetricsPage.END.length());
    if (!tables.equals(MetricsPage.text())) {
      Path wanted = Files.createDirectories(Path.of("target")).resolve("metrics.md");
      Files.writeString(wanted, page.replace(tables, MetricsPage.text()));
    }
    assertThat(tables)
        .as("copy scheduler/target/metrics.md to docs/reference/metrics.md")
        .isEqualTo(MetricsPage.text());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "WARM_AVAILABLE        | warm_available              | GAUGE     | pool,region",
        "WARM_UNHEALTHY        | warm_unhealthy              | GAUGE     | pool,region",
        "QUEUE_DEPTH           | queue_depth                 | GAUGE     | pool,region",
        "ASSIGN_LATENCY        | assign_latency_seconds      | HISTOGRAM | pool,region,outcome",
        "MACHINE_REPLACE_COUNT | machine_replace_count_total | COUNTER   | pool,region,reason"
      })
  void theContractIsKept(Metric metric, String family, Metric.Kind kind, String labels) {
    assertThat(metric.family()).isEqualTo(family);
    assertThat(metric.kind()).isEqualTo(kind);
    assertThat(metric.labels()).containsExactly(labels.split(","));
  }

  @Test
  void theBucketsOfTheContractAreKept() {
    assertThat(Metric.ASSIGN_LATENCY.buckets())
        .extracting(Duration::toMillis)
        .containsExactly(
            1L, 2L, 5L, 10L, 20L, 50L, 100L, 200L, 400L, 500L, 1000L, 2000L, 5000L, 10000L);
  }

  @ParameterizedTest
  @EnumSource
  void everyOtherNameHasOurPrefixAndAnExplanation(Metric metric) {
    boolean contract = CONTRACT.contains(metric);
    assertThat(metric.family().startsWith("cupbear_")).isNotEqualTo(contract);
    assertThat(metric.help()).isNotBlank().doesNotContain("\n", "|");
    assertThat(metric.buckets().isEmpty()).isEqualTo(metric.kind() != Metric.Kind.HISTOGRAM);
  }

  @Test
  void noLabelIsAnId() {
    Set<String> labels =
        Stream.of(Metric.values())
            .flatMap(metric -> metric.labels().stream())
            .collect(Collectors.toSet());
    assertThat(labels)
        .isSubsetOf(
            "pool", "region", "outcome", "reason", "state", "kind", "action", "rule", "depth",
            "verdict", "script", "route", "status", "version", "commit", "java");
  }

  @Test
  void everyAnswerHasAnOutcome() {
    List<String> words =
        Arrays.stream(Answer.class.getPermittedSubclasses())
            .map(type -> type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_"))
            .map(word -> word.toLowerCase(java.util.Locale.ROOT))
            .toList();
    assertThat(words.stream().collect(Collectors.toMap(word -> word, Labels.Assign::of)))
        .containsEntry("assigned", Labels.Assign.ASSIGNED)
        .containsEntry("no_capacity", Labels.Assign.NO_CAPACITY)
        .containsEntry("queue_full", Labels.Assign.QUEUE_FULL)
        .containsEntry("store_down", Labels.Assign.UNAVAILABLE)
        .containsEntry("recovering", Labels.Assign.UNAVAILABLE)
        .containsEntry("hung_up", Labels.Assign.CALLER)
        .containsEntry("key_reused", Labels.Assign.CALLER)
        .containsEntry("key_spent", Labels.Assign.CALLER)
        .containsEntry("bad_request", Labels.Assign.CALLER)
        .as("a new answer needs a place among the outcomes")
        .hasSize(9);
  }

  @Test
  void theScriptsAreThoseOfTheStore() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/lua"))) {
      List<String> scripts =
          files
              .map(file -> file.getFileName().toString().replace(".lua", ""))
              .filter(name -> !name.equals("prelude"))
              .toList();
      assertThat(Labels.SCRIPTS).containsExactlyInAnyOrderElementsOf(scripts);
    }
  }

  @Test
  void theActionsAreThoseOfFlysClient() {
    Set<String> known = Stream.of(Action.values()).map(Action::label).collect(Collectors.toSet());
    assertThat(Labels.FLY_ACTIONS.stream().filter(action -> !action.equals(Labels.OTHER)))
        .isSubsetOf(known);
  }

  @ParameterizedTest
  @EnumSource
  void everyOutcomeOfFlysClientHasAPlace(Outcome outcome) {
    for (Action action : Action.values()) {
      assertThat(Labels.FLY_OUTCOMES).contains(FlyCounts.word(action, outcome));
    }
  }
}
