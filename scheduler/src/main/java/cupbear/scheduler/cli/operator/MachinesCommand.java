// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.operator.Table.Cell;
import cupbear.scheduler.cli.operator.Table.Tone;
import cupbear.scheduler.model.MachineId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cupbear machines}: the Machines, and the story of one. */
@Command(
    name = "machines",
    description = "List Machines; `machines show ID` tells the whole story of one.",
    subcommands = MachinesCommand.Show.class)
public final class MachinesCommand extends ApiCommand {
  /** In the other states nobody asks it, and what it proved before says nothing any more. */
  private static final Set<String> PROBED = Set.of("proving", "warm", "assigned");

  @Mixin RegionOption region = new RegionOption();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "only these: provisioning, proving, warm, assigned, draining, parked, condemned, unknown")
  @Nullable String state;

  @Option(
      names = {"-q", "--quiet"},
      description = "only ids, one per line")
  boolean quiet;

  @Override
  int run(Api api) throws ApiTrouble {
    Map<String, @Nullable String> filters = new HashMap<>();
    filters.put("pool", options.pool(spec));
    filters.put("region", region.value(spec));
    filters.put("state", state);
    ObjectNode found = Pages.read(api, "/v1/machines", "machines", filters);
    if (output.isJson()) printJson(found);
    else if (quiet) found.path("machines").forEach(each -> out().println(text(each, "id")));
    else print(table(found, clock.instant()), "There are no such Machines.");
    out().flush();
    return ExitCode.OK;
  }

  private static String text(JsonNode node, String field) {
    return Human.clean(node.path(field).asText());
  }

  static Table table(JsonNode found, Instant now) {
    Table table =
        new Table("ID", "STATE", "REGION", "HEALTH", "AGE>", "SESSION", "VERSION", "ADDRESS");
    for (JsonNode each : found.path("machines")) {
      table.row(
          each.path("id").asText(),
          each.path("state").asText(),
          each.path("region").asText(),
          health(each),
          Human.age(each.path("since").asText(), now),
          each.path("session").asText("-"),
          each.path("template_version").asText(),
          each.path("address").asText("-"));
    }
    return table;
  }

  /** What keeps it from serving comes first. */
  static Cell health(JsonNode machine) {
    if (machine.path("leaving").asBoolean()) return new Cell("leaving", Tone.ODD);
    if (machine.path("cordoned").asBoolean()) return new Cell("cordoned", Tone.ODD);
    if (!PROBED.contains(machine.path("state").asText())) return new Cell("-", Tone.PLAIN);
    JsonNode health = machine.path("health");
    if (health.path("doubted").asBoolean()) return new Cell("doubted", Tone.BAD);
    return health.has("guacd_proven_at")
        ? new Cell("proven", Tone.GOOD)
        : new Cell("unproven", Tone.PLAIN);
  }

  /** {@code cupbear machines show ID}. */
  @Command(
      name = "show",
      description = "Tell a Machine's whole story: every state, probe, decision and reason.")
  static final class Show extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "the Machine, also one that is gone")
    String id = "";

    @Override
    int run(Api api) throws ApiTrouble {
      ApiOptions.checked(spec, () -> new MachineId(id));
      JsonNode machine = api.get("/v1/machines/" + id);
      if (output.isJson()) printJson(machine);
      else Story.print(out(), machine, clock.instant(), options.isColoured());
      return ExitCode.OK;
    }
  }
}
