// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shapes we hold answers against are those of the public OpenAPI document. */
class ShapesTest {
  // Seen on the wire with capitals, documented without.
  private static final Set<String> KNOWN_DEVIATIONS = Set.of("Regions/Regions", "Regions/Nearest");

  @Test
  void shapesAreThoseOfTheOpenApiDocument() throws Exception {
    Path document = shared().resolve("reference/fly/openapi.json");
    assumeTrue(
        Files.isReadable(document),
        "no OpenAPI document; set CUPBEAR_SHARED to the folder that holds reference/fly");
    JsonNode schemas =
        new ObjectMapper().readTree(document.toFile()).get("components").get("schemas");
    Shapes shapes = new Shapes();
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

  private static Path shared() {
    String told = System.getProperty("cupbear.shared", System.getenv("CUPBEAR_SHARED"));
    return Stream.of(told == null ? "" : told, "../shared", "../../shared")
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(Path.of("shared"));
  }
}
