// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The eighteen regions with Fly's coordinates, and the aliases a create may name. Stateless. */
final class Regions {
  private static final String AFRICA = "africa";
  private static final String ASIA_PACIFIC = "asia_pacific";
  private static final String EUROPE = "europe";
  private static final String N_AMERICA = "north_america";
  private static final String S_AMERICA = "south_america";

  record Region(String code, String name, double lat, double lon, String geo, boolean gateway) {
    boolean isIn(String alias) {
      return switch (alias) {
        case "any" -> true;
        case "apac" -> geo.equals(ASIA_PACIFIC);
        case "eu" -> geo.equals(EUROPE);
        case "na" -> geo.equals(N_AMERICA);
        case "sa" -> geo.equals(S_AMERICA);
        case "us", "usa" -> name.endsWith("(US)");
        default -> code.equals(alias);
      };
    }
  }

  static final List<Region> ALL =
      List.of(
          new Region("ams", "Amsterdam, Netherlands", 52.374342, 4.895439, EUROPE, true),
          new Region("arn", "Stockholm, Sweden", 59.6512, 17.9178, EUROPE, true),
          new Region("bom", "Mumbai, India", 19.097403, 72.874245, ASIA_PACIFIC, true),
          new Region("cdg", "Paris, France", 48.860875, 2.353477, EUROPE, true),
          new Region("dfw", "Dallas, Texas (US)", 32.778287, -96.7984, N_AMERICA, true),
          new Region("ewr", "Secaucus, NJ (US)", 40.789543, -74.05653, N_AMERICA, true),
          new Region("fra", "Frankfurt, Germany", 50.1167, 8.6833, EUROPE, true),
          new Region("gru", "Sao Paulo, Brazil", -23.549664, -46.65435, S_AMERICA, false),
          new Region("iad", "Ashburn, Virginia (US)", 39.02214, -77.462556, N_AMERICA, true),
          new Region("jnb", "Johannesburg, South Africa", -26.13629, 28.20298, AFRICA, false),
          new Region("lax", "Los Angeles, California (US)", 33.9416, -118.4085, N_AMERICA, true),
          new Region("lhr", "London, United Kingdom", 51.516434, -0.125656, EUROPE, true),
          new Region("nrt", "Tokyo, Japan", 35.62161, 139.74185, ASIA_PACIFIC, true),
          new Region("ord", "Chicago, Illinois (US)", 41.891544, -87.63039, N_AMERICA, true),
          new Region("sin", "Singapore, Singapore", 1.3, 103.8, ASIA_PACIFIC, true),
          new Region("sjc", "San Jose, California (US)", 37.3516, -121.89674, N_AMERICA, true),
          new Region("syd", "Sydney, Australia", -33.86603, 151.20693, ASIA_PACIFIC, true),
          new Region("yyz", "Toronto, Canada", 43.64463, -79.38423, N_AMERICA, true));

  /** Where a create without a region lands, and what the region list calls nearest. */
  static final String NEAREST = "iad";

  private Regions() {}

  /** Codes in the order of wish; inside an alias the order is by chance, each code once. */
  static List<String> candidates(String wish, Random random) {
    if (wish.isBlank()) {
      return List.of(NEAREST);
    }
    Set<String> codes = new LinkedHashSet<>();
    for (String one : wish.split(",", -1)) {
      String alias = one.strip();
      List<String> matching =
          new ArrayList<>(ALL.stream().filter(r -> r.isIn(alias)).map(Region::code).toList());
      if (matching.isEmpty()) {
        throw Errors.invalid("region " + alias + " not found");
      }
      Collections.shuffle(matching, random);
      codes.addAll(matching);
    }
    return List.copyOf(codes);
  }

  static ObjectNode toJson(boolean capitalKeys) {
    ObjectNode json = Json.object();
    ArrayNode rows = json.putArray(capitalKeys ? "Regions" : "regions");
    for (Region region : ALL) {
      rows.addObject()
          .put("code", region.code)
          .put("name", region.name)
          .put("latitude", region.lat)
          .put("longitude", region.lon)
          .put("gateway_available", region.gateway)
          .put("requires_paid_plan", false)
          .put("deprecated", false)
          .put("geo_region", region.geo)
          .put("mpg_available", region.gateway);
    }
    return json.put(capitalKeys ? "Nearest" : "nearest", NEAREST);
  }
}
