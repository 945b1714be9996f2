// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A list of the API, read to its end. */
final class Pages {
  private static final String LIMIT = "500";

  /** A list that has no end is a mistake of somebody; ours is not to follow it. */
  private static final int PAGES_MOST = 200;

  private Pages() {}

  /** One document with all that its pages hold. */
  static ObjectNode read(Api api, String path, String name, Map<String, @Nullable String> filters)
      throws ApiTrouble {
    ArrayNode all = Api.mapper().createArrayNode();
    String cursor = null;
    for (int page = 0; page < PAGES_MOST; page++) {
      JsonNode found = api.get(path + query(filters, cursor));
      found.path(name).forEach(all::add);
      cursor = found.path("next_cursor").asText(null);
      if (cursor == null) break;
    }
    ObjectNode whole = Api.mapper().createObjectNode();
    whole.set(name, all);
    return whole;
  }

  private static String query(Map<String, @Nullable String> filters, @Nullable String cursor) {
    Map<String, String> query = new java.util.TreeMap<>();
    query.put("limit", LIMIT);
    filters.forEach((name, value) -> {
      if (value != null) query.put(name, value);
    });
    if (cursor != null) query.put("cursor", cursor);
    return query.entrySet().stream()
        .map(each ->
            each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&", "?", ""));
  }
}
