// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.scheduler.cli.operator.PoolDocuments.Place;
import cupbear.scheduler.cli.operator.Table.Cell;
import cupbear.scheduler.cli.operator.Table.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The regional pools in a table: what there is, and what is being done about it. */
final class StatusTable {
  private static final int LEADER_MOST = 9;

  /** Steps that change only what is written about a Machine: of no interest at a glance. */
  private static final Set<String> BOOKKEEPING = Set.of("book", "retag");

  private StatusTable() {}

  static Table of(List<Place> places) {
    boolean pools = places.stream().map(Place::pool).distinct().count() > 1;
    Table table = pools ? new Table(headings("POOL", "REGION")) : new Table(headings("REGION"));
    for (Place place : places) {
      List<Object> cells = new ArrayList<>();
      if (pools) cells.add(place.pool());
      cells.add(place.code());
      cells.addAll(figures(place.region()));
      table.row(cells.toArray());
    }
    return table;
  }

  private static String[] headings(String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(
        List.of(
            "FLOOR>",
            "WARM>",
            "PROVING>",
            "CLAIMED>",
            "DRAINING>",
            "QUEUE>",
            "P95>",
            "LEADER",
            "AGE>",
            "PLAN"));
    return all.toArray(String[]::new);
  }

  private static List<Object> figures(JsonNode region) {
    JsonNode counts = region.path("counts");
    int floor = region.path("warm_min").asInt();
    int warm = counts.path("warm").asInt();
    int queue = region.path("queue_depth").asInt();
    return List.of(
        floor,
        new Cell("" + warm, warm < floor ? Tone.BAD : Tone.GOOD),
        counts.path("coming_up").asInt(),
        counts.path("assigned").asInt(),
        counts.path("draining").asInt(),
        new Cell("" + queue, queue > 0 ? Tone.ODD : Tone.PLAIN),
        region.has("queue_p95_ms") ? Human.seconds(region.path("queue_p95_ms").asLong()) : "-",
        leader(region),
        age(region),
        new Cell(plan(region), isAlarming(region) ? Tone.BAD : Tone.PLAIN));
  }

  private static Cell leader(JsonNode region) {
    String replica = region.path("leader").path("replica").asText();
    return replica.isEmpty()
        ? new Cell("nobody", Tone.BAD)
        : new Cell(Human.cut(replica, LEADER_MOST), Tone.PLAIN);
  }

  /** Both by the store's clock, so that ours does not matter. */
  private static String age(JsonNode region) {
    String passed = region.path("passed_at").asText();
    return passed.isEmpty()
        ? "-"
        : Human.age(passed, Instant.parse(region.path("observed_at").asText(passed)));
  }

  /** What stands in the way, then what is done; a dash when there is nothing to say. */
  static String plan(JsonNode region) {
    List<String> said = new ArrayList<>();
    boolean paused = region.path("paused").asBoolean();
    if (paused) said.add("paused");
    if (region.path("draining").asBoolean()) said.add("draining");
    else if (region.path("cordoned").asBoolean()) said.add("cordoned");
    int unmet = region.path("plan").path("unmet").asInt();
    if (unmet > 0) said.add(unmet + " cannot be had here");
    for (JsonNode finding : region.path("findings")) {
      if (finding.path("alert").asBoolean()) said.add("! " + words(finding, "finding"));
    }
    String would = paused ? "would " : "";
    for (JsonNode step : region.path("plan").path("actions")) {
      if (BOOKKEEPING.contains(step.path("action").asText())) continue;
      said.add(
          "%s%s %d (%s)"
              .formatted(
                  would, words(step, "action"), step.path("count").asInt(), words(step, "reason")));
    }
    return said.isEmpty() ? "-" : String.join(", ", said);
  }

  private static String words(JsonNode node, String field) {
    return Human.words(node.path(field).asText());
  }

  private static boolean isAlarming(JsonNode region) {
    for (JsonNode finding : region.path("findings")) {
      if (finding.path("alert").asBoolean()) return true;
    }
    return region.path("plan").path("unmet").asInt() > 0;
  }

  /** One line for all of it. */
  static String summary(List<Place> places) {
    int warm = sum(places, "warm");
    int floor = places.stream().mapToInt(each -> each.region().path("warm_min").asInt()).sum();
    int queue = places.stream().mapToInt(each -> each.region().path("queue_depth").asInt()).sum();
    return "%s: %d warm (floor %d), %d in use, %d waiting"
        .formatted(
            Human.counted(places.size(), "regional pool"),
            warm,
            floor,
            sum(places, "assigned"),
            queue);
  }

  private static int sum(List<Place> places, String count) {
    return places.stream().mapToInt(each -> each.region().path("counts").path(count).asInt()).sum();
  }
}
