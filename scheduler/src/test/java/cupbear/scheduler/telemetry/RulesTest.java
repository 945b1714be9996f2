// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The rules of ops/prometheus: they load, they speak of what exists, and each was seen to fire. */
class RulesTest {
  private static final Path FOLDER = Path.of("../ops/prometheus");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(?:=|!=|=~|!~)\"([^\"]*)\"");
  private static final List<String> TESTS =
      List.of("pool_test.yaml", "health_test.yaml", "budget_test.yaml");

  @Test
  void promtoolAcceptsAndRunsThem() throws IOException, InterruptedException {
    Optional<Path> found = promtool();
    assumeTrue(
        found.isPresent(), "promtool is not installed (Debian: prometheus); the rules are not run");
    Path promtool = found.get();
    List<String> command = new ArrayList<>(List.of(promtool.toString(), "test", "rules"));
    TESTS.forEach(test -> command.add("tests/" + test));
    assertThat(run(command)).as("promtool test rules").isEqualTo("0");
    assertThat(run(List.of(promtool.toString(), "check", "config", "prometheus.yml")))
        .as("promtool check config")
        .isEqualTo("0");
  }

  private static Optional<Path> promtool() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(folder -> Path.of(folder, "promtool"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** "0", or everything that it said. */
  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return process.exitValue() == 0 ? "0" : said;
  }

  @Test
  void allTestsAreRun() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("tests"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(TESTS);
    }
  }

  @Test
  void theySpeakOfMetricsThatExist() throws IOException {
    Set<String> known = new TreeSet<>(Promql.metrics());
    for (Map<?, ?> rule : rules("recording.yaml")) {
      assertThat(Promql.names(text(rule, "expr"))).as(text(rule, "record")).isSubsetOf(known);
      known.add(text(rule, "record"));
    }
    Set<String> recorded = Promql.recorded(rules("recording.yaml"));
    for (Map<?, ?> rule : rules("alerts.yaml")) {
      assertThat(Promql.names(text(rule, "expr")))
          .as(text(rule, "alert") + " compares a series that is always there")
          .isNotEmpty()
          .isSubsetOf(recorded);
    }
  }

  /** A label's value that nobody writes makes an alert that never fires, and no other test sees. */
  @Test
  void theyAskForLabelsThatExist() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/metrics.md"));
    String values = page.substring(page.indexOf("## Label values"));
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (Map<?, ?> rule : rules("recording.yaml")) {
      Matcher asked = LABEL.matcher(text(rule, "expr"));
      while (asked.find()) {
        for (String value : asked.group(2).split("\\|")) {
          seen++;
          boolean edge = asked.group(1).equals("le") && page.contains(", " + value + ",");
          boolean known =
              edge
                  || values
                      .lines()
                      .anyMatch(line ->
                          line.startsWith("| `" + asked.group(1) + "` |")
                              && line.contains("`" + value + "`"));
          if (!known) unknown.add(text(rule, "record") + ": " + asked.group());
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(seen).isGreaterThan(20);
  }

  @Test
  void everyAlertSaysWhatToDoAndWasSeenToFire() throws IOException {
    StringBuilder tests = new StringBuilder();
    for (String test : TESTS) tests.append(Files.readString(FOLDER.resolve("tests/" + test)));
    for (Map<?, ?> rule : rules("alerts.yaml")) {
      String name = text(rule, "alert");
      Map<?, ?> annotations = map(rule.get("annotations"));
      assertThat(text(annotations, "summary")).as(name).isNotBlank();
      assertThat(text(annotations, "description")).as(name).isNotBlank();
      assertThat(text(annotations, "runbook_url")).isEqualTo("ops/runbooks/" + kebab(name) + ".md");
      assertThat(text(map(rule.get("labels")), "severity")).isIn("page", "ticket");
      assertThat(tests).contains("alertname=\"" + name + "\"");
    }
  }

  @Test
  void theTwoThresholdsOfTheContractAreExact() throws IOException {
    Map<?, ?> floor = alert("CupbearWarmBelowMin");
    assertThat(text(floor, "expr")).isEqualTo("cupbear:warm_available:min < cupbear:warm_min:max");
    assertThat(text(floor, "for")).isEqualTo("30s");
    Map<?, ?> queue = alert("CupbearQueueSlow");
    assertThat(text(queue, "expr")).isEqualTo("cupbear:queue_seconds:p95 > 0.5");
    assertThat(queue.get("for")).isNull();
  }

  private static Map<?, ?> alert(String name) throws IOException {
    return rules("alerts.yaml").stream()
        .filter(rule -> name.equals(rule.get("alert")))
        .findFirst()
        .orElseThrow();
  }

  private static String kebab(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private static String text(Map<?, ?> from, String key) {
    return String.valueOf(from.get(key)).strip();
  }

  /** All rules of a file, in order. */
  static List<Map<?, ?>> rules(String file) throws IOException {
    Map<?, ?> all =
        map(
            new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(FOLDER.resolve(file))));
    List<Map<?, ?>> rules = new ArrayList<>();
    for (Object group : list(all.get("groups"))) {
      list(map(group).get("rules")).forEach(rule -> rules.add(map(rule)));
    }
    return rules;
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }
}
