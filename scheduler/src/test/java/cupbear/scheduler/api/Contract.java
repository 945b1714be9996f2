// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** docs/openapi.yaml, and every answer held against it. */
final class Contract {
  /** What any request can meet, whatever it asks for; openapi.yaml says so with its default. */
  private static final Set<Integer> ANYWHERE = Set.of(404, 405, 406, 408, 413, 414, 431, 500);

  private static final JsonObject ROOT = load();
  private static final Map<String, JsonObject> OPERATIONS = operations();
  private static final Map<String, Validator> VALIDATORS = new ConcurrentHashMap<>();

  private Contract() {}

  private static JsonObject load() {
    try (InputStream in = Contract.class.getResourceAsStream("/cupbear-docs/openapi.yaml")) {
      Object tree =
          new Load(LoadSettings.builder().build()).loadFromInputStream(Objects.requireNonNull(in));
      return new JsonObject(Json.encode(tree));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By {@code GET /path}. */
  static Map<String, JsonObject> operations() {
    Map<String, JsonObject> all = new TreeMap<>();
    JsonObject paths = ROOT.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : new String[] {"get", "put", "post", "delete"}) {
        JsonObject operation = paths.getJsonObject(path).getJsonObject(method);
        if (operation != null) all.put(method.toUpperCase(Locale.ROOT) + " " + path, operation);
      }
    }
    return all;
  }

  static JsonObject root() {
    return ROOT;
  }

  static JsonObject follow(JsonObject node) {
    String reference = node.getString("$ref");
    if (reference == null) return node;
    JsonObject here = ROOT;
    for (String step : reference.substring(2).split("/")) here = here.getJsonObject(step);
    return follow(here);
  }

  /** The answer, if openapi.yaml allows it. */
  static Client.Reply kept(String method, String uri, Client.Reply reply) {
    String path = uri.replaceAll("\\?.*", "");
    for (Map.Entry<String, JsonObject> each : OPERATIONS.entrySet()) {
      String pattern = each.getKey().replaceAll("\\{[a-z]+\\}", "[^/]+");
      boolean exact = each.getKey().equals(method + " " + path);
      if (exact || (method + " " + path).matches(pattern)) {
        check(each.getKey(), each.getValue(), reply);
        break;
      }
    }
    if (reply.status() >= 400 && reply.header("content-type").contains("problem")) {
      JsonObject schema = new JsonObject().put("$ref", "#/components/schemas/Problem");
      validate(method + " " + uri, schema, reply.json());
    }
    return reply;
  }

  private static void check(String name, JsonObject operation, Client.Reply reply) {
    JsonObject responses = operation.getJsonObject("responses");
    JsonObject answer = responses.getJsonObject("" + reply.status());
    if (answer == null) {
      if (ANYWHERE.contains(reply.status())) return;
      throw new AssertionError(
          "%s answers %d, which openapi.yaml does not say: %s"
              .formatted(name, reply.status(), reply.text()));
    }
    JsonObject response = follow(answer);
    for (String header : response.getJsonObject("headers", new JsonObject()).fieldNames()) {
      boolean optional = header.equals("Idempotency-Replayed");
      if (!optional && reply.header(header.toLowerCase(Locale.ROOT)).isEmpty()) {
        throw new AssertionError(name + " came without the header " + header);
      }
    }
    JsonObject content = response.getJsonObject("content", new JsonObject());
    String type = reply.header("content-type").replaceAll(";.*", "");
    if (content.isEmpty() && reply.text().isEmpty()) return;
    JsonObject media = content.getJsonObject(type);
    if (media == null) throw new AssertionError(name + " answers in '" + type + "'");
    if (type.endsWith("json")) validate(name, media.getJsonObject("schema"), reply.json());
  }

  static void validate(String what, JsonObject schema, Object value) {
    OutputUnit result =
        VALIDATORS.computeIfAbsent(schema.encode(), Contract::validator).validate(value);
    if (Boolean.TRUE.equals(result.getValid())) return;
    StringBuilder why = new StringBuilder();
    if (result.getErrors() != null) {
      result
          .getErrors()
          .forEach(each -> why.append(each.getInstanceLocation()).append(each.getError()));
    }
    throw new AssertionError("%s breaks its schema: %s%n%s".formatted(what, why, value));
  }

  private static Validator validator(String schema) {
    JsonObject schemas = ROOT.getJsonObject("components").getJsonObject("schemas");
    JsonObject whole =
        new JsonObject(inDefs(schema)).put("$defs", new JsonObject(inDefs(schemas.encode())));
    return Validator.create(
        JsonSchema.of(whole),
        new JsonSchemaOptions()
            .setBaseUri("https://cupbear.invalid/")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic));
  }

  private static String inDefs(String schema) {
    return schema.replace("#/components/schemas/", "#/$defs/");
  }

  /** The examples of a body or an answer. */
  static Map<String, Object> examples(@Nullable JsonObject holder, String type) {
    Map<String, Object> all = new TreeMap<>();
    if (holder == null) return all;
    JsonObject content = follow(holder).getJsonObject("content", new JsonObject());
    JsonObject media = content.getJsonObject(type, new JsonObject());
    for (String name : media.getJsonObject("examples", new JsonObject()).fieldNames()) {
      JsonObject example = follow(media.getJsonObject("examples").getJsonObject(name));
      all.put(name, example.getValue("value"));
    }
    return all;
  }

  static JsonArray roles(String operation) {
    return Objects.requireNonNull(OPERATIONS.get(operation)).getJsonArray("x-roles");
  }
}
