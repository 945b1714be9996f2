// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.scheduler.cli.operator.Table.Cell;
import cupbear.scheduler.cli.operator.Table.Tone;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A Machine for people: what it is, then everything that happened to it. */
final class Story {
  private Story() {}

  static void print(PrintWriter out, JsonNode machine, Instant now, boolean colour) {
    String name = machine.path("name").asText();
    String title = machine.path("id").asText() + (name.isEmpty() ? "" : "  " + name);
    out.println(Human.clean(title));
    fact(out, "pool", pool(machine));
    fact(out, "state", state(machine, now));
    if (machine.has("address")) fact(out, "address", machine.path("address").asText());
    if (machine.has("health")) fact(out, "health", health(machine, now));
    out.println();
    table(machine).print(out, colour);
  }

  private static void fact(PrintWriter out, String name, String value) {
    out.printf("%-8s %s%n", name, Human.clean(value));
  }

  private static String pool(JsonNode machine) {
    String place =
        "%s in %s".formatted(machine.path("pool").asText(), machine.path("region").asText());
    return machine.has("template_version")
        ? "%s, template %s, keep %s"
            .formatted(
                place, machine.path("template_version").asText(), machine.path("keep").asText())
        : place;
  }

  private static String state(JsonNode machine, Instant now) {
    List<String> said = new ArrayList<>();
    said.add(
        "%s for %s"
            .formatted(
                machine.path("state").asText(), Human.age(machine.path("since").asText(), now)));
    if (machine.has("session")) said.add("session " + machine.path("session").asText());
    if (machine.path("cordoned").asBoolean()) said.add("cordoned");
    if (machine.path("leaving").asBoolean()) said.add("leaving");
    return String.join(", ", said);
  }

  private static String health(JsonNode machine, Instant now) {
    JsonNode health = machine.path("health");
    String guacd = health.path("guacd_proven_at").asText();
    if (guacd.isEmpty()) return MachinesCommand.health(machine).text();
    return "%s; guacd answered %s ago, RDP %s ago"
        .formatted(
            health.path("doubted").asBoolean() ? "doubted" : "proven",
            Human.age(guacd, now),
            Human.age(health.path("rdp_proven_at").asText(), now));
  }

  private static Table table(JsonNode machine) {
    Table table = new Table("WHEN", "KIND", "WHAT", "REASON", "BECAUSE");
    for (JsonNode line : machine.path("story")) {
      table.row(
          Human.moment(line.path("at").asText()),
          line.path("kind").asText(),
          new Cell(Human.words(line.path("what").asText()), tone(line)),
          line.path("reason").asText("-"),
          because(line));
    }
    return table;
  }

  private static Tone tone(JsonNode line) {
    return switch (line.path("what").asText()) {
      case "failed", "condemned", "lost", "doubted", "destroy" -> Tone.BAD;
      case "misconfigured", "unknown", "drain", "cordon" -> Tone.ODD;
      case "proven", "healthy" -> Tone.GOOD;
      default -> Tone.PLAIN;
    };
  }

  /** The sentence, and who or which session, where that is not said in it. */
  private static String because(JsonNode line) {
    List<String> said = new ArrayList<>();
    if (line.has("because")) said.add(line.path("because").asText());
    if (line.has("session")) said.add("session " + line.path("session").asText());
    if (line.has("by")) said.add("by token " + line.path("by").asText());
    return said.isEmpty() ? "-" : String.join("; ", said);
  }
}
