// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboards of ops/grafana ask for what exists, and say what they show. */
class DashboardsTest {
  private static final Path FOLDER = Path.of("../ops/grafana");

  @Test
  void thereIsOneForEachAudience() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("pool.json", "reconciler.json", "probes.json");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "reconciler", "probes"})
  void everyQueryAsksForWhatExists(String name) throws IOException {
    Set<String> known = new TreeSet<>(Promql.metrics());
    known.addAll(Promql.recorded(RulesTest.rules("recording.yaml")));
    for (JsonObject panel : panels(name)) {
      for (String query : queries(panel)) {
        assertThat(Promql.names(query.replace("$__rate_interval", "5m")))
            .as("%s: %s", panel.getString("title"), query)
            .isNotEmpty()
            .isSubsetOf(known);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "reconciler", "probes"})
  void everyPanelExplainsItselfAndLinksToARunbook(String name) throws IOException {
    JsonObject board = board(name);
    assertThat(board.getString("uid")).isEqualTo("cupbear-" + name);
    assertThat(board.getJsonObject("templating").getJsonArray("list").stream())
        .extracting(each -> ((JsonObject) each).getString("name"))
        .contains("datasource", "pool", "region");
    for (JsonObject panel : panels(name)) {
      String title = panel.getString("title");
      assertThat(queries(panel)).as(title).isNotEmpty();
      assertThat(panel.getString("description", "")).as(title).isNotBlank();
      assertThat(panel.getJsonObject("datasource").getString("uid")).isEqualTo("${datasource}");
      assertThat(panel.getJsonObject("fieldConfig").getJsonObject("defaults").getString("unit"))
          .as(title)
          .isNotBlank();
      JsonArray links = panel.getJsonArray("links", new JsonArray());
      assertThat(links).as(title).isNotEmpty();
      String url = links.getJsonObject(0).getString("url");
      assertThat(url).as(title).startsWith("${runbooks}cupbear-").endsWith(".md");
      String alert = url.substring("${runbooks}".length());
      assertThat(Files.readString(Path.of("../ops/prometheus/alerts.yaml"))).contains(alert);
    }
  }

  private static JsonObject board(String name) throws IOException {
    return new JsonObject(Files.readString(FOLDER.resolve(name + ".json")));
  }

  private static List<JsonObject> panels(String name) throws IOException {
    List<JsonObject> panels = new ArrayList<>();
    board(name).getJsonArray("panels").forEach(each -> panels.add((JsonObject) each));
    assertThat(panels).isNotEmpty();
    return panels;
  }

  private static List<String> queries(JsonObject panel) {
    List<String> queries = new ArrayList<>();
    panel
        .getJsonArray("targets", new JsonArray())
        .forEach(each -> queries.add(((JsonObject) each).getString("expr")));
    return queries;
  }
}
