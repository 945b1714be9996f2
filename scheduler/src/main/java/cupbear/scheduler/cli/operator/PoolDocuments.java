// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list of pools as the API gives it. What only a region's leader knows is asked of the other
 * replicas too, where their addresses are known.
 */
final class PoolDocuments {
  private PoolDocuments() {}

  /** One region of one pool. */
  record Place(String pool, JsonNode region) {
    String code() {
      return region.path("region").asText();
    }
  }

  /** {@code GET /v1/pools}, with only the wanted pool and region in it. */
  static ObjectNode read(Api api, @Nullable String pool, @Nullable String region)
      throws ApiTrouble {
    ObjectNode first = object(api.get("/v1/pools"));
    keep(first, pool, region);
    List<Api.Server> others = api.servers();
    for (Api.Server other : others.subList(1, others.size())) {
      if (places(first).stream().noneMatch(PoolDocuments::isHalfKnown)) break;
      try {
        fill(first, api.get(other, "/v1/pools"));
      } catch (ApiTrouble.Unreachable gone) {
        // Its regions have another leader soon; that one will say.
      }
    }
    return first;
  }

  static ObjectNode object(JsonNode node) {
    return node instanceof ObjectNode object ? object : Api.mapper().createObjectNode();
  }

  private static void keep(ObjectNode root, @Nullable String pool, @Nullable String region) {
    ArrayNode kept = Api.mapper().createArrayNode();
    for (JsonNode each : root.path("pools")) {
      boolean wanted = pool == null || each.path("name").asText().equals(pool);
      if (!wanted || !(each instanceof ObjectNode found)) continue;
      ArrayNode regions = Api.mapper().createArrayNode();
      for (JsonNode one : found.path("regions")) {
        if (region == null || one.path("region").asText().equals(region)) regions.add(one);
      }
      found.set("regions", regions);
      if (!regions.isEmpty() || region == null) kept.add(found);
    }
    root.set("pools", kept);
  }

  private static boolean isHalfKnown(Place place) {
    return place.region().has("leader") && !place.region().has("passed_at");
  }

  /** Takes over the regions that the other one leads. */
  private static void fill(ObjectNode root, JsonNode other) {
    for (Place known : places(other)) {
      if (!known.region().has("passed_at")) continue;
      for (JsonNode pool : root.path("pools")) {
        if (!pool.path("name").asText().equals(known.pool())) continue;
        ArrayNode regions = (ArrayNode) pool.path("regions");
        for (int i = 0; i < regions.size(); i++) {
          boolean same = regions.get(i).path("region").asText().equals(known.code());
          if (same) regions.set(i, known.region());
        }
      }
    }
  }

  static List<Place> places(JsonNode root) {
    List<Place> places = new ArrayList<>();
    for (JsonNode pool : root.path("pools")) {
      for (JsonNode region : pool.path("regions")) {
        places.add(new Place(pool.path("name").asText(), region));
      }
    }
    return places;
  }
}
