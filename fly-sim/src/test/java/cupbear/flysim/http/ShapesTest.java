// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.flysim.world.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The shapes that {@link EndpointWalkIT} holds every answer against are those of the public OpenAPI
 * document. Our own copy is always used; the document itself only where it can be found, and a
 * build without it reports these tests as skipped, with the reason.
 */
class ShapesTest {
  // Seen on the wire with capitals, documented without.
  private static final Set<String> KNOWN_DEVIATIONS = Set.of("Regions/Regions", "Regions/Nearest");

  // Documented flat; on the wire in an envelope.
  private static final Map<String, String> ENVELOPES = Map.of("LeaseEnvelope", "Lease");

  private static final String DOCUMENT = "reference/fly/openapi.json";

  private final Shapes shapes = new Shapes();

  ShapesTest() throws IOException {}

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyCallHasAShapeInOurOwnCopy(Action action) {
    Shapes.GoodAnswer good = shapes.good(action);
    String shape = plain(good.shape());
    assertThat(good.status()).isBetween(200, 204);
    if (!Set.of("", "object").contains(shape)) {
      assertThat(shapes.fields(shape)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyCallAnswersWhatTheDocumentSays(Action action) throws Exception {
    JsonNode responses = operation(document().get("paths"), action).get("responses");
    Shapes.GoodAnswer good = shapes.good(action);
    JsonNode response = responses.path(Integer.toString(good.status()));
    assertThat(response.isObject()).as("%s of %s", good.status(), responses).isTrue();
    JsonNode schema = response.path("content").path("application/json").path("schema");
    if (schema.isMissingNode()) {
      assertThat(shapes.schemas()).as("no body is documented").doesNotContainKey(good.shape());
      return;
    }
    boolean array = schema.path("type").asText().equals("array");
    assertThat(good.shape().startsWith("array of ")).isEqualTo(array);
    JsonNode element = array ? schema.get("items") : schema;
    String shape = plain(good.shape());
    if (!shape.equals("object")) {
      String known = ENVELOPES.getOrDefault(shape, shape);
      assertThat(element.path("$ref").asText())
          .isEqualTo("#/components/schemas/" + shapes.schemas().get(known));
    }
  }

  @Test
  void everyFieldOfEveryShapeIsInTheDocument() throws Exception {
    JsonNode schemas = document().get("components").get("schemas");
    List<String> misfits = new ArrayList<>();
    for (Map.Entry<String, String> entry : shapes.schemas().entrySet()) {
      JsonNode properties = schemas.get(entry.getValue()).get("properties");
      for (Map.Entry<String, JsonNode> field : shapes.fields(entry.getKey()).properties()) {
        String at = entry.getKey() + "/" + field.getKey();
        if (!KNOWN_DEVIATIONS.contains(at)
            && !fits(field.getValue().asText(), properties.path(field.getKey()), schemas)) {
          misfits.add(at + " " + field.getValue() + " but " + properties.path(field.getKey()));
        }
      }
    }
    assertThat(misfits).isEmpty();
  }

  private static String plain(String shape) {
    return shape.startsWith("array of ") ? shape.substring("array of ".length()) : shape;
  }

  private static JsonNode operation(JsonNode paths, Action action) {
    String wanted = action.path().replaceAll(":\\w+", "{}");
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      if (path.getKey().replaceAll("\\{\\w+}", "{}").equals(wanted)) {
        JsonNode operation = path.getValue().path(action.method().toLowerCase(Locale.ROOT));
        assertThat(operation.isObject()).as("%s %s", action.method(), wanted).isTrue();
        return operation;
      }
    }
    throw new AssertionError("the document has no path " + wanted);
  }

  private static boolean fits(String shape, JsonNode property, JsonNode schemas) {
    String type = property.path("type").asText("");
    if (property.has("$ref")) {
      String ref = property.get("$ref").asText();
      type = schemas.path(ref.substring(ref.lastIndexOf('/') + 1)).path("type").asText("object");
    }
    String plain = shape.replace("?", "");
    if (plain.startsWith("array of ")) {
      return type.equals("array");
    }
    return Set.of("string", "integer", "number", "boolean").contains(plain)
        ? type.equals(plain)
        : type.equals("object");
  }

  private static JsonNode document() throws IOException {
    String told = System.getProperty("cupbear.shared", System.getenv("CUPBEAR_SHARED"));
    Optional<Path> document = told == null ? beside() : Optional.of(Path.of(told, DOCUMENT));
    assumeTrue(
        document.isPresent(),
        "no shared/" + DOCUMENT + " in or beside a folder above this one; CUPBEAR_SHARED names it");
    // Told where it is and not there is a mistake, not a reason to skip.
    assertThat(document.orElseThrow()).isReadable();
    return new ObjectMapper().readTree(document.orElseThrow().toFile());
  }

  /** From the module's folder upwards: the folder lies beside the checkout, or higher. */
  private static Optional<Path> beside() {
    return Stream.iterate(Path.of("").toAbsolutePath(), at -> at != null, Path::getParent)
        .map(at -> at.resolve("shared").resolve(DOCUMENT))
        .filter(Files::isReadable)
        .findFirst();
  }
}
