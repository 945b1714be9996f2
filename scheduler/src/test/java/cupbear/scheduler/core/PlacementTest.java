// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.core.Placement.Rules;
import cupbear.scheduler.core.Placement.Wish;
import cupbear.scheduler.model.Region;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementTest {
  record Row(String name, Wish wish, Rules rules, List<Region> ranked) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rankings() {
    Rules three = rules("iad lhr nrt", Map.of(), null);
    return Stream.of(
        row("a region asked for comes first, then the nearest", wish("lhr"), three, "lhr iad nrt"),
        row("an ordered list is tried in its order", wish("nrt lhr"), three, "nrt lhr iad"),
        row(
            "a region the pool does not have: the nearest to it",
            wish("syd"),
            three,
            "nrt iad lhr"),
        row("no wish: nearest to the caller", from("fra"), three, "lhr iad nrt"),
        row(
            "a wish outweighs where the caller is",
            new Wish(regions("nrt"), new Region("fra")),
            three,
            "nrt lhr iad"),
        row("neither: the pool's first", new Wish(List.of(), null), three, "iad lhr nrt"),
        row(
            "max_distance_km leaves out what is farther",
            from("fra"),
            rules("iad lhr nrt", Map.of(), 7000.0),
            "lhr iad"),
        row(
            "max_distance_km does not forbid what is asked for by name",
            wish("lhr nrt"),
            rules("iad lhr nrt", Map.of(), 100.0),
            "lhr nrt"),
        row(
            "nothing near enough: nothing",
            from("syd"),
            rules("iad lhr nrt", Map.of(), 1000.0),
            ""),
        row(
            "an override replaces the map",
            from("fra"),
            rules("iad lhr nrt", Map.of("fra", "nrt iad"), null),
            "nrt iad"),
        row(
            "an override names only regions of the pool",
            from("fra"),
            rules("iad lhr", Map.of("fra", "ams lhr"), null),
            "lhr"),
        row(
            "an override is for its own place of departure",
            from("ams"),
            rules("iad lhr", Map.of("fra", "iad"), null),
            "lhr iad"),
        row(
            "a region that is not on the map comes last",
            from("iad"),
            rules("xxx iad lhr", Map.of(), 100.0),
            "iad xxx"),
        row(
            "a caller that is not on the map: declared order",
            from("xxx"),
            rules("nrt iad", Map.of(), 100.0),
            "nrt iad"),
        row("a region named twice is tried once", wish("lhr lhr iad"), three, "lhr iad nrt"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rankings")
  void rank(Row row) {
    assertThat(Placement.rank(row.wish, row.rules, Atlas.FLY)).isEqualTo(row.ranked);
  }

  /** Fly's own table of neighbours proves both our coordinates and our arithmetic. */
  @Test
  void distancesAgreeWithFlysOwnTable() throws IOException {
    JsonNode table;
    try (InputStream in = PlacementTest.class.getResourceAsStream("/fly-regions.json")) {
      table = new ObjectMapper().readTree(in);
    }
    assertThat(Atlas.FLY.places()).hasSize(table.size()).hasSize(18);
    for (JsonNode region : table) {
      Region from = new Region(region.get("code").asText());
      assertThat(Atlas.FLY.places().get(from))
          .isEqualTo(
              new Atlas.Place(
                  from,
                  region.get("name").asText(),
                  region.get("latitude").asDouble(),
                  region.get("longitude").asDouble()));
      for (JsonNode near : region.get("nearest")) {
        Region to = new Region(near.get("code").asText());
        assertThat(Atlas.FLY.distanceKm(from, to).orElseThrow())
            .as("%s to %s", from, to)
            .isCloseTo(near.get("km").asDouble(), within(2.0));
      }
    }
  }

  @Test
  void aPoolWithoutRegionsIsRefused() {
    assertThatThrownBy(() -> rules("", Map.of(), null)).hasMessageContaining("at least one");
  }

  @Test
  void unmetDemandSpillsToTheNearestRegionThatIsNotShortItself() {
    Rules three = rules("iad lhr nrt", Map.of(), null);
    Map<Region, Integer> unmet = Map.of(new Region("iad"), 4, new Region("lhr"), 0);
    assertThat(Spill.onto(unmet, three, Atlas.FLY)).isEqualTo(Map.of(new Region("lhr"), 4));
    Map<Region, Integer> both = Map.of(new Region("iad"), 4, new Region("lhr"), 2);
    assertThat(Spill.onto(both, three, Atlas.FLY)).isEqualTo(Map.of(new Region("nrt"), 6));
    Map<Region, Integer> all =
        Map.of(new Region("iad"), 1, new Region("lhr"), 1, new Region("nrt"), 1);
    assertThat(Spill.onto(all, three, Atlas.FLY)).isEmpty();
  }

  @Test
  void demandDoesNotSpillFartherThanSessionsMay() {
    Rules near = rules("iad lhr nrt", Map.of(), 1000.0);
    assertThat(Spill.onto(Map.of(new Region("iad"), 4), near, Atlas.FLY)).isEmpty();
  }

  private static Row row(String name, Wish wish, Rules rules, String ranked) {
    return new Row(name, wish, rules, regions(ranked));
  }

  private static Wish wish(String preferred) {
    return new Wish(regions(preferred), null);
  }

  private static Wish from(String caller) {
    return new Wish(List.of(), new Region(caller));
  }

  private static Rules rules(String pool, Map<String, String> overrides, @Nullable Double most) {
    Map<Region, List<Region>> replaced = new java.util.HashMap<>();
    overrides.forEach((from, order) -> replaced.put(new Region(from), regions(order)));
    return new Rules(regions(pool), replaced, most);
  }

  private static List<Region> regions(String codes) {
    return Arrays.stream(codes.split(" "))
        .filter(code -> !code.isEmpty())
        .map(Region::new)
        .toList();
  }
}
