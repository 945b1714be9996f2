// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** docs/openapi.yaml as a tree, with its references followed and its schemas ready to use. */
final class ApiDocument {
  static final List<String> METHODS = List.of("get", "put", "post", "delete");

  private final JsonObject root;
  private final Map<String, Validator> validators = new HashMap<>();

  private ApiDocument(JsonObject root) {
    this.root = root;
  }

  static ApiDocument read() {
    try {
      String yaml = Repo.text(Repo.DOCS.resolve("openapi.yaml"));
      Object tree = new ObjectMapper(new YAMLFactory()).readValue(yaml, Object.class);
      return new ApiDocument(new JsonObject(new ObjectMapper().writeValueAsString(tree)));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  JsonObject root() {
    return root;
  }

  JsonObject schemas() {
    return root.getJsonObject("components").getJsonObject("schemas");
  }

  /** The object itself, or what its reference leads to. Fails when that is nothing. */
  JsonObject follow(JsonObject maybeReference) {
    @Nullable String reference = maybeReference.getString("$ref");
    return reference == null ? maybeReference : follow(at(reference));
  }

  JsonObject at(String reference) {
    if (!reference.startsWith("#/")) throw new AssertionError(reference + " leads outside");
    JsonObject here = root;
    for (String part : reference.substring(2).split("/")) {
      String name = part.replace("~1", "/").replace("~0", "~");
      if (!(here.getValue(name) instanceof JsonObject next)) {
        throw new AssertionError(reference + " leads nowhere");
      }
      here = next;
    }
    return here;
  }

  /** What is wrong with the value by this schema; empty when nothing is. */
  List<String> complaints(JsonObject schema, Object value) {
    OutputUnit result =
        validators.computeIfAbsent(schema.encode(), this::validator).validate(value);
    if (Boolean.TRUE.equals(result.getValid())) return List.of();
    List<String> complaints = new ArrayList<>();
    complaints.add("not valid");
    if (result.getErrors() != null) {
      result
          .getErrors()
          .forEach(each -> complaints.add(each.getInstanceLocation() + ": " + each.getError()));
    }
    return complaints;
  }

  List<String> complaints(String schemaName, Object value) {
    return complaints(new JsonObject().put("$ref", "#/components/schemas/" + schemaName), value);
  }

  private Validator validator(String schema) {
    JsonObject whole =
        new JsonObject(inDefs(schema)).put("$defs", new JsonObject(inDefs(schemas().encode())));
    return Validator.create(
        JsonSchema.of(whole),
        new JsonSchemaOptions()
            .setBaseUri("https://cupbear.invalid/")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic));
  }

  /** A validator knows nothing of OpenAPI's components. */
  private static String inDefs(String schema) {
    return schema.replace("#/components/schemas/", "#/$defs/");
  }

  /** Every operation, as "GET /path" and its object. */
  Map<String, JsonObject> operations() {
    Map<String, JsonObject> operations = new TreeMap<>();
    JsonObject paths = root.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : METHODS) {
        @Nullable JsonObject operation = paths.getJsonObject(path).getJsonObject(method);
        if (operation != null)
          operations.put(method.toUpperCase(Locale.ROOT) + " " + path, operation);
      }
    }
    return operations;
  }

  JsonObject operation(String name) {
    return Objects.requireNonNull(operations().get(name), name);
  }

  /** Parameters of the path and of the operation. */
  List<JsonObject> parameters(String operation) {
    JsonObject path = root.getJsonObject("paths").getJsonObject(operation.split(" ")[1]);
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject holder : List.of(path, operation(operation))) {
      for (Object each : holder.getJsonArray("parameters", new JsonArray())) {
        all.add(follow((JsonObject) each));
      }
    }
    return all;
  }

  /** Walks all objects below, with the path to each. */
  void walk(BiConsumer<String, JsonObject> visit) {
    walk("#", root, visit);
  }

  private static void walk(String where, Object node, BiConsumer<String, JsonObject> visit) {
    if (node instanceof JsonObject object) {
      visit.accept(where, object);
      object.forEach(each -> walk(where + "/" + each.getKey(), each.getValue(), visit));
    } else if (node instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) walk(where + "/" + i, array.getValue(i), visit);
    }
  }
}
