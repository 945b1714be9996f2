// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.SchemaRepository;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/openapi.yaml is a sound OpenAPI 3.1 document whose examples keep its own rules. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiDocumentTest {
  private static final Set<String> ROLES = Set.of("gateway", "viewer", "operator", "admin");

  private final ApiDocument api = ApiDocument.read();

  Stream<String> operations() {
    return api.operations().keySet().stream();
  }

  @Test
  void saysWhatItIs() {
    assertThat(api.root().getString("openapi")).startsWith("3.1.");
    assertThat(api.root().getJsonObject("info").fieldNames()).contains("title", "version");
    assertThat(OpenApiShape.complaints(api)).isEmpty();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    Set<String> followed = new HashSet<>();
    api.walk((where, object) -> {
      if (object.getValue("$ref") instanceof String reference) {
        assertThat(api.at(reference)).as(where).isNotNull();
        followed.add(reference);
      }
    });
    assertThat(followed).hasSizeGreaterThan(40);
  }

  @Test
  void nothingInComponentsIsUnused() {
    String text = api.root().encode();
    List<String> unused = new ArrayList<>();
    JsonObject components = api.root().getJsonObject("components");
    for (String kind : components.fieldNames()) {
      if (kind.equals("securitySchemes")) continue;
      for (String name : components.getJsonObject(kind).fieldNames()) {
        String reference = "#/components/" + kind + "/" + name + "\"";
        if (!text.contains(reference)) unused.add(kind + "/" + name);
      }
    }
    // An Event travels inside a text stream, which has no schema of its own.
    assertThat(unused).containsExactly("schemas/Event");
  }

  @Test
  void everySchemaIsOneOfDraft202012() {
    Vertx vertx = Vertx.vertx();
    try {
      SchemaRepository metaSchemas =
          SchemaRepository.create(new JsonSchemaOptions().setBaseUri("https://cupbear.invalid/"))
              .preloadMetaSchema(vertx.fileSystem(), Draft.DRAFT202012);
      var validator = metaSchemas.validator("https://json-schema.org/draft/2020-12/schema");
      for (String name : api.schemas().fieldNames()) {
        assertThat(validator.validate(api.schemas().getJsonObject(name)).getValid())
            .as(name)
            .isTrue();
      }
      assertThat(validator.validate(new JsonObject().put("type", "objekt")).getValid()).isFalse();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void operationIdsAreUniqueAndTagsDeclared() {
    List<String> ids = new ArrayList<>();
    Set<String> tags = new TreeSet<>();
    for (JsonObject operation : api.operations().values()) {
      ids.add(operation.getString("operationId"));
      operation.getJsonArray("tags").forEach(tag -> tags.add((String) tag));
    }
    assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(
            api.root().getJsonArray("tags").stream()
                .map(tag -> ((JsonObject) tag).getString("name")))
        .containsExactlyInAnyOrderElementsOf(tags);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void operationDeclaresWhatItsPathNames(String name) {
    Set<String> inPath = new TreeSet<>();
    Pattern.compile("\\{([a-z_]+)}")
        .matcher(name)
        .results()
        .map(MatchResult::group)
        .forEach(inPath::add);
    Set<String> declared = new TreeSet<>();
    for (JsonObject parameter : api.parameters(name)) {
      if (parameter.getString("in").equals("path")) {
        declared.add("{" + parameter.getString("name") + "}");
        assertThat(parameter.getBoolean("required")).isTrue();
      }
    }
    assertThat(declared).isEqualTo(inPath);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void operationSaysWhoMayCallIt(String name) {
    JsonObject operation = api.operation(name);
    JsonArray roles = operation.getJsonArray("x-roles");
    boolean open = name.matches("GET /(livez|readyz|metrics|docs|openapi.yaml|problems/.*)");
    assertThat(operation.getString("summary")).isNotBlank();
    if (open) {
      assertThat(roles).isEmpty();
      assertThat(operation.getJsonArray("security")).isEmpty();
    } else {
      assertThat(roles.stream().map(String.class::cast)).isNotEmpty().isSubsetOf(ROLES);
      assertThat(roles).contains("admin");
      assertThat(operation.fieldNames()).doesNotContain("security");
      assertThat(responses(name)).containsKeys("401", "403");
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyAnswerHasSchemaAndExamples(String name) {
    responses(name)
        .forEach((status, response) -> {
          boolean empty = status.equals("204");
          JsonObject content = response.getJsonObject("content", new JsonObject());
          assertThat(content.isEmpty()).as(name + " " + status).isEqualTo(empty);
          content.forEach(media -> {
            assertThat(((JsonObject) media.getValue()).fieldNames())
                .as(name + " " + status)
                .contains("schema", "examples");
          });
        });
    assertThat(responses(name).keySet()).anyMatch(status -> status.startsWith("2"));
    assertThat(responses(name)).containsKey("default");
  }

  @ParameterizedTest
  @MethodSource("operations")
  void answersToCallersCarryTheTraceAndRetryTimes(String name) {
    if (!name.contains(" /v1/")) return;
    responses(name)
        .forEach((status, response) -> {
          Set<String> headers = response.getJsonObject("headers", new JsonObject()).fieldNames();
          assertThat(headers).as(name + " " + status).contains("traceparent");
          if (Set.of("429", "503", "504").contains(status)) {
            assertThat(headers).as(name + " " + status).contains("Retry-After");
          }
        });
  }

  @Test
  void everyExampleKeepsItsSchema() {
    List<String> wrong = new ArrayList<>();
    int[] checked = {0};
    api.walk((where, object) -> {
      if (where.contains("/examples/")
          || !(object.getValue("schema") instanceof JsonObject schema)) {
        return;
      }
      for (Map.Entry<String, Object> example : examples(object).entrySet()) {
        checked[0]++;
        api.complaints(schema, example.getValue())
            .forEach(each -> wrong.add(where + "/" + example.getKey() + ": " + each));
      }
    });
    assertThat(wrong).isEmpty();
    assertThat(checked[0]).isGreaterThan(80);
  }

  private Map<String, Object> examples(JsonObject holder) {
    Map<String, Object> examples = new java.util.TreeMap<>();
    if (holder.containsKey("example")) examples.put("example", holder.getValue("example"));
    JsonObject named = holder.getJsonObject("examples", new JsonObject());
    for (String name : named.fieldNames()) {
      examples.put(name, api.follow(named.getJsonObject(name)).getValue("value"));
    }
    return examples;
  }

  @Test
  void theEventInTheStreamExampleKeepsItsSchema() {
    String stream =
        examples(
                response("GET /v1/events", "200")
                    .getJsonObject("content")
                    .getJsonObject("text/event-stream"))
            .values()
            .iterator()
            .next()
            .toString();
    List<String> data = stream.lines().filter(line -> line.startsWith("data: ")).toList();
    assertThat(data).isNotEmpty();
    data.forEach(
        line -> assertThat(api.complaints("Event", new JsonObject(line.substring(6)))).isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          an unknown field            | SessionRequest | {"pool":"p","colour":"red"}
          no pool                     | SessionRequest | {}
          a region in capitals        | SessionRequest | {"pool":"p","region":"IAD"}
          no region in the list       | SessionRequest | {"pool":"p","region":[]}
          one region twice            | SessionRequest | {"pool":"p","region":["iad","iad"]}
          a wait without a unit       | SessionRequest | {"pool":"p","wait":"5"}
          a label that is no text     | SessionRequest | {"pool":"p","labels":{"gpu":true}}
          a name for an address       | SessionRequest | {"pool":"p","client_address":"x.y"}
          a renewal without its epoch | LeaseRenewal   | {"receipt":"abc"}
          a failure without a reason  | Failure        | {"epoch":1}
          an act with more to say     | Act            | {"reason":"r","force":true}
          """)
  void refuses(String what, String schema, String json) {
    assertThat(api.complaints(schema, new JsonObject(json))).as(what).isNotEmpty();
  }

  @Test
  void viewsOfSessionsShowNoSecret() {
    JsonObject page =
        response("GET /v1/sessions/{id}", "200")
            .getJsonObject("content")
            .getJsonObject("application/json");
    JsonObject view = (JsonObject) examples(page).values().iterator().next();
    assertThat(api.complaints("SessionView", view)).isEmpty();
    assertThat(api.complaints("SessionView", view.copy().put("receipt", "r"))).isNotEmpty();
    assertThat(api.complaints("SessionView", view.copy().put("credentials", new JsonObject())))
        .isNotEmpty();
  }

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource(
      quoteCharacter = '~',
      textBlock =
          """
          6f1c1f0e-6b0f-4b57-9d0f-3a8f5c1f2b7a, true
          "6f1c1f0e-6b0f-4b57-9d0f-3a8f5c1f2b7a", true
          "6f1c1f0e-6b0f-4b57-9d0f-3a8f5c1f2b7a, false
          tooshort, false
          has a blank in it, false
          """)
  void idempotencyKeysAreBareOrQuoted(String key, boolean allowed) {
    JsonObject schema = api.at("#/components/parameters/IdempotencyKey").getJsonObject("schema");
    assertThat(api.complaints(schema, key).isEmpty()).isEqualTo(allowed);
  }

  private Map<String, JsonObject> responses(String operation) {
    Map<String, JsonObject> responses = new java.util.TreeMap<>();
    JsonObject declared = api.operation(operation).getJsonObject("responses");
    for (String status : declared.fieldNames()) {
      responses.put(status, api.follow(declared.getJsonObject(status)));
    }
    return responses;
  }

  private JsonObject response(String operation, String status) {
    return Objects.requireNonNull(responses(operation).get(status));
  }
}
