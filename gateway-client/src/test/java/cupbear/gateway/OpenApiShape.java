// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which fields OpenAPI 3.1 allows and needs where; finds what a tool would stumble over. */
final class OpenApiShape {
  private static final Set<String> PATH_ITEM =
      Set.of("summary", "description", "servers", "parameters", "get", "put", "post", "delete");
  private static final Set<String> OPERATION =
      Set.of(
          "tags",
          "summary",
          "description",
          "operationId",
          "parameters",
          "requestBody",
          "responses",
          "security",
          "servers",
          "deprecated");
  private static final Set<String> PARAMETER =
      Set.of(
          "name",
          "in",
          "description",
          "required",
          "schema",
          "example",
          "examples",
          "explode",
          "style",
          "allowEmptyValue",
          "deprecated");
  private static final Set<String> HEADER =
      Set.of("description", "required", "schema", "example", "examples", "deprecated");

  private final ApiDocument api;
  private final List<String> complaints = new ArrayList<>();

  private OpenApiShape(ApiDocument api) {
    this.api = api;
  }

  static List<String> complaints(ApiDocument api) {
    OpenApiShape shape = new OpenApiShape(api);
    shape.check();
    return shape.complaints;
  }

  private void check() {
    JsonObject root = api.root();
    only(
        "#", root, Set.of("openapi", "info", "servers", "security", "tags", "paths", "components"));
    JsonObject components = root.getJsonObject("components");
    only(
        "components",
        components,
        Set.of(
            "securitySchemes",
            "parameters",
            "headers",
            "requestBodies",
            "examples",
            "responses",
            "schemas"));
    JsonObject paths = root.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      if (!path.startsWith("/")) complaints.add(path + " must start with /");
      pathItem(path, paths.getJsonObject(path));
    }
    each(components, "headers", (name, header) -> header("headers/" + name, header));
    each(components, "responses", this::response);
    each(components, "parameters", this::parameter);
    each(components, "requestBodies", this::requestBody);
    each(
        components,
        "examples",
        (name, it) -> only(name, it, Set.of("summary", "description", "value")));
  }

  private void pathItem(String path, JsonObject item) {
    only(path, item, PATH_ITEM);
    parameters(path, item);
    for (String method : ApiDocument.METHODS) {
      if (item.containsKey(method)) operation(method + " " + path, item.getJsonObject(method));
    }
  }

  private void operation(String where, JsonObject operation) {
    only(where, operation, OPERATION);
    needs(where, operation, "operationId", "responses");
    parameters(where, operation);
    if (operation.containsKey("requestBody")) {
      requestBody(where, api.follow(operation.getJsonObject("requestBody")));
    }
    JsonObject responses = operation.getJsonObject("responses");
    for (String status : responses.fieldNames()) {
      if (!status.matches("[1-5][0-9][0-9]|default")) complaints.add(where + ": status " + status);
      response(where + " " + status, api.follow(responses.getJsonObject(status)));
    }
  }

  private void parameters(String where, JsonObject holder) {
    for (Object each : holder.getJsonArray("parameters", new JsonArray())) {
      parameter(where, api.follow((JsonObject) each));
    }
  }

  private void parameter(String where, JsonObject parameter) {
    only(where, parameter, PARAMETER);
    needs(where, parameter, "name", "in", "schema", "description");
    if (!Set.of("path", "query", "header").contains(parameter.getString("in"))) {
      complaints.add(where + ": parameter in " + parameter.getString("in"));
    }
  }

  private void requestBody(String where, JsonObject body) {
    only(where, body, Set.of("description", "required", "content"));
    needs(where, body, "content");
    content(where, body);
  }

  private void response(String where, JsonObject response) {
    only(where, response, Set.of("description", "headers", "content", "links"));
    needs(where, response, "description");
    each(response, "headers", (name, header) -> header(where + " " + name, api.follow(header)));
    content(where, response);
  }

  private void header(String where, JsonObject header) {
    only(where, header, HEADER);
    needs(where, header, "schema");
  }

  private void content(String where, JsonObject holder) {
    each(
        holder,
        "content",
        (type, media) -> {
          if (!type.matches("[a-z]+/[a-z+-]+")) complaints.add(where + ": media type " + type);
          only(where, media, Set.of("schema", "example", "examples"));
        });
  }

  private interface Visit {
    void to(String name, JsonObject object);
  }

  private static void each(JsonObject holder, String field, Visit visit) {
    JsonObject objects = holder.getJsonObject(field, new JsonObject());
    objects.fieldNames().forEach(name -> visit.to(name, objects.getJsonObject(name)));
  }

  private void only(String where, JsonObject object, Set<String> allowed) {
    for (String field : object.fieldNames()) {
      if (!allowed.contains(field) && !field.startsWith("x-")) {
        complaints.add(where + " has " + field);
      }
    }
  }

  private void needs(String where, JsonObject object, String... fields) {
    for (String field : fields) {
      if (!object.containsKey(field)) complaints.add(where + " lacks " + field);
    }
  }
}
