// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;

/** JSON as Fly writes it. Stateless. */
public final class Json {

  /** Reads and writes our own records; an unknown field is an error that names the known ones. */
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .build();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  static ArrayNode array(Collection<String> texts) {
    ArrayNode array = array();
    texts.forEach(array::add);
    return array;
  }

  /** Reads a body that must be an object; nothing at all counts as an empty one. */
  static ObjectNode objectFrom(String body) {
    if (body.isBlank()) {
      return object();
    }
    try {
      if (MAPPER.readTree(body) instanceof ObjectNode object) {
        return object;
      }
      throw Errors.invalid("the request body must be a JSON object");
    } catch (JsonProcessingException e) {
      throw Errors.invalid("the request body is not JSON: " + e.getOriginalMessage());
    }
  }

  /** The text of a field, or "" when it is absent or null; anything else is refused. */
  static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw Errors.invalid(field + " must be a string");
    }
    return value.textValue();
  }

  static long number(JsonNode object, String field, long otherwise) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isIntegralNumber()) {
      throw Errors.invalid(field + " must be an integer");
    }
    return value.longValue();
  }

  static boolean flag(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
      throw Errors.invalid(field + " must be true or false");
    }
    return value.booleanValue();
  }

  /** RFC 3339 with second precision, as created_at and updated_at are written. */
  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public static String write(JsonNode node) {
    return node.toString();
  }
}
