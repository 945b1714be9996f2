// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Permissions;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of routes and docs/openapi.yaml say the same. */
class RoutesAgreeIT {
  private static final Map<String, Route> TABLE = new TreeMap<>();

  @BeforeAll
  static void readTheTable(@TempDir Path folder) {
    try (House house = new House(folder, Store.memory(StoreRules.DEFAULT))) {
      house.routes().forEach(route -> TABLE.put(route.name(), route));
    }
  }

  private static Route route(String name) {
    return Objects.requireNonNull(TABLE.get(name), name);
  }

  private static JsonObject operation(String name) {
    return Objects.requireNonNull(Contract.operations().get(name), name);
  }

  @Test
  void everyOperationHasARouteAndEveryRouteIsAnOperation() {
    assertThat(TABLE.keySet()).isEqualTo(Contract.operations().keySet());
  }

  static Stream<String> operations() {
    return Contract.operations().keySet().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void theRolesOfAnOperationAreThoseThatThePermissionsReach(String name) {
    Route route = route(name);
    List<String> reached =
        Permissions.isOpen(route.permission())
            ? List.of()
            : Stream.of(Role.values())
                .filter(
                    role -> Permissions.reach(role, route.permission()) != Permissions.Reach.NONE)
                .map(Role::word)
                .toList();
    assertThat(Contract.roles(name).stream().map(String::valueOf))
        .containsExactlyInAnyOrderElementsOf(reached);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void aBodyIsReadWhereOneIsDescribed(String name) {
    JsonObject body = operation(name).getJsonObject("requestBody");
    Route.Body expected =
        body == null
            ? Route.Body.NONE
            : Contract.follow(body).getBoolean("required")
                ? Route.Body.REQUIRED
                : Route.Body.OPTIONAL;
    assertThat(route(name).body()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void itAnswersInTheFormThatIsDescribed(String name) {
    JsonObject responses = operation(name).getJsonObject("responses");
    for (String status : new TreeSet<>(responses.fieldNames())) {
      JsonObject content =
          Contract.follow(responses.getJsonObject(status)).getJsonObject("content");
      if (status.startsWith("2") && content != null) {
        assertThat(content.fieldNames()).containsExactly(route(name).answers());
      }
    }
  }

  /** Every example of a body, with the operation it is for. */
  static Stream<Object[]> bodies() {
    return Contract.operations().entrySet().stream()
        .flatMap(operation ->
            Contract.examples(operation.getValue().getJsonObject("requestBody"), "application/json")
                .entrySet()
                .stream()
                .map(each -> new Object[] {operation.getKey(), each.getKey(), each.getValue()}));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("bodies")
  void everyExampleOfABodyPassesTheParser(String operation, String example, Object value) {
    byte[] body = ((JsonObject) value).encode().getBytes(StandardCharsets.UTF_8);
    Bodies bodies = new Bodies(16);
    Parsed<?> parsed =
        switch (operation.replaceAll(".*/", "")) {
          case "sessions" -> bodies.session(body);
          case "connected" -> bodies.confirmation(body);
          case "lease" -> bodies.renewal(body);
          case "fail" -> bodies.failure(body);
          case "signals" -> bodies.signal(body);
          default -> bodies.act(body);
        };
    assertThat(parsed).isInstanceOf(Parsed.Good.class);
  }

  @Test
  void theProblemsAreTheSameClosedSet() {
    JsonArray types =
        Contract.root()
            .getJsonObject("components")
            .getJsonObject("schemas")
            .getJsonObject("Problem")
            .getJsonObject("properties")
            .getJsonObject("type")
            .getJsonArray("enum");
    assertThat(types.stream().map(String::valueOf))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ProblemType.values()).map(ProblemType::path).toList());
  }

  @Test
  void everyProblemIsExemplifiedWithItsOwnTitleAndStatus() {
    Map<String, String> shown = new TreeMap<>();
    JsonObject responses = Contract.root().getJsonObject("components").getJsonObject("responses");
    for (String name : responses.fieldNames()) {
      Contract.examples(responses.getJsonObject(name), "application/problem+json")
          .values()
          .forEach(each -> {
            JsonObject problem = (JsonObject) each;
            shown.put(
                problem.getString("type"),
                problem.getInteger("status") + " " + problem.getString("title"));
          });
    }
    Map<String, String> ours = new TreeMap<>();
    for (ProblemType each : ProblemType.values()) {
      ours.put(each.path(), each.status + " " + each.title);
    }
    assertThat(shown).isEqualTo(ours);
  }

  @Test
  void theTopicsOfEventsAreTheSame() {
    JsonArray parameters = operation("GET /v1/events").getJsonArray("parameters");
    List<String> topics =
        parameters.stream()
            .map(JsonObject.class::cast)
            .filter(each -> "topic".equals(each.getString("name")))
            .flatMap(each ->
                each.getJsonObject("schema").getJsonObject("items").getJsonArray("enum").stream())
            .map(String::valueOf)
            .toList();
    assertThat(topics).isEqualTo(Events.TOPICS);
  }
}
