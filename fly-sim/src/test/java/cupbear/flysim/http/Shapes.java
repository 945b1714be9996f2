// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.flysim.world.Action;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The documented shapes of answers, kept in response-shapes.json. */
final class Shapes {
  private final JsonNode file;

  Shapes() throws IOException {
    try (InputStream in = Shapes.class.getResourceAsStream("response-shapes.json")) {
      file = new ObjectMapper().readTree(Objects.requireNonNull(in));
    }
  }

  /**
   * What a call answers when all is well.
   *
   * @param shape empty for no body at all
   */
  record GoodAnswer(int status, String shape) {}

  /** How a call answers when all is well; a call without an entry is one nobody looked up. */
  GoodAnswer good(Action action) {
    JsonNode entry = file.get("answers").path(action.name());
    assertThat(entry.isTextual()).as("answers/%s in response-shapes.json", action).isTrue();
    String[] parts = entry.asText().split(" ", 2);
    return new GoodAnswer(Integer.parseInt(parts[0]), parts.length == 1 ? "" : parts[1]);
  }

  /** The name of each shape with its schema in the public OpenAPI document. */
  Map<String, String> schemas() {
    Map<String, String> schemas = new LinkedHashMap<>();
    file.get("schemas").properties().forEach(e -> schemas.put(e.getKey(), e.getValue().asText()));
    return schemas;
  }

  JsonNode fields(String shape) {
    return Objects.requireNonNull(file.get("shapes").get(shape), shape);
  }

  /** Everything that does not fit; empty when the answer has the shape. */
  List<String> misfits(String type, JsonNode value) {
    List<String> misfits = new ArrayList<>();
    check("", type, value, misfits);
    return misfits;
  }

  private void check(String at, String type, JsonNode value, List<String> misfits) {
    if (type.startsWith("array of ")) {
      if (!value.isArray()) {
        misfits.add(at + " is no array");
      }
      int i = 0;
      for (JsonNode one : value) {
        check(at + "/" + i++, type.substring("array of ".length()), one, misfits);
      }
      return;
    }
    boolean fits =
        switch (type) {
          case "string" -> value.isTextual();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          default -> value.isObject();
        };
    if (!fits) {
      misfits.add(at + " is no " + type + ": " + value);
    } else if (file.get("shapes").has(type)) {
      checkFields(at, fields(type), value, misfits);
    }
  }

  private void checkFields(String at, JsonNode fields, JsonNode value, List<String> misfits) {
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      String wanted = field.getValue().asText();
      boolean optional = wanted.endsWith("?");
      String type = optional ? wanted.substring(0, wanted.length() - 1) : wanted;
      String path = at + "/" + field.getKey();
      if (value.has(field.getKey())) {
        check(path, type, value.get(field.getKey()), misfits);
      } else if (!optional) {
        misfits.add(path + " is missing");
      }
    }
    value
        .fieldNames()
        .forEachRemaining(name -> {
          if (!fields.has(name)) {
            misfits.add(at + "/" + name + " is not documented");
          }
        });
  }
}
