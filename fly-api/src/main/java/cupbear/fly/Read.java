// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.fly.Call.Reader;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Regions;
import cupbear.fly.model.Started;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Readers of answers, one for each shape that Fly sends in more than one way. Pure. */
final class Read {

  /** The answer to a request that is either done or refused. */
  enum Ack {
    DONE
  }

  private Read() {}

  static <T> Reader<T> as(Class<T> type) {
    return body -> FlyJson.read(body, type);
  }

  static <T> Reader<List<T>> listOf(Class<T> type) {
    return body -> FlyJson.readList(body, type);
  }

  /** {@code {"ok":true}}, {@code {}} or nothing at all: the status has said it. */
  static Ack ack(byte[] body) {
    return Ack.DONE;
  }

  /** Keys come as {@code Regions} or {@code regions}. */
  static Regions regions(byte[] body) throws IOException {
    return FlyJson.readAnyCase(body, Regions.class);
  }

  /** Flat, or in an envelope {@code {"status":"success","data":{…}}}. */
  static Lease lease(byte[] body) throws IOException {
    JsonNode json = object(body);
    return FlyJson.convert(json.path("data").isObject() ? json.get("data") : json, Lease.class);
  }

  /** A 200 can carry {@code {"status":"error","message":…}}. */
  static Started started(byte[] body) throws IOException {
    if (body.length == 0) {
      return FlyJson.read("{}".getBytes(StandardCharsets.UTF_8), Started.class);
    }
    JsonNode json = object(body);
    if (json.path("status").asText("").equals("error")) {
      throw new Call.RefusedInside(json.path("message").asText(""));
    }
    return FlyJson.convert(json, Started.class);
  }

  static Map<String, String> metadata(byte[] body) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : object(body).properties()) {
      if (!field.getValue().isNull()) {
        values.put(field.getKey(), field.getValue().asText());
      }
    }
    return Map.copyOf(values);
  }

  static Optional<String> value(byte[] body) throws IOException {
    return Optional.ofNullable(object(body).get("value")).map(JsonNode::asText);
  }

  /** {@code {"ips":[…]}} or {@code {"volumes":[…]}} or the bare array. */
  static <T> Reader<List<T>> listIn(String field, Class<T> type) {
    return body -> {
      JsonNode json = FlyJson.tree(body).orElseThrow(() -> new IOException("no JSON"));
      JsonNode items = json.isObject() ? json.path(field) : json;
      List<T> values = new ArrayList<>();
      for (JsonNode item : items) {
        values.add(FlyJson.convert(item, type));
      }
      return List.copyOf(values);
    };
  }

  private static JsonNode object(byte[] body) throws IOException {
    return FlyJson.tree(body)
        .filter(JsonNode::isObject)
        .orElseThrow(() -> new IOException("no JSON object"));
  }
}
