// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.operator.Table.Cell;
import cupbear.scheduler.cli.operator.Table.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cupbear sessions}: who has which Machine. */
@Command(name = "sessions", description = "List living sessions and their Machines, newest first.")
public final class SessionsCommand extends ApiCommand {
  @Mixin RegionOption region = new RegionOption();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "only these: granted, connected, lost")
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
    ObjectNode found = Pages.read(api, "/v1/sessions", "sessions", filters);
    if (output.isJson()) {
      printJson(found);
    } else if (quiet) {
      found.path("sessions").forEach(each -> out().println(Human.clean(each.path("id").asText())));
    } else {
      print(table(found, clock.instant()), "There are no such sessions.");
    }
    out().flush();
    return ExitCode.OK;
  }

  static Table table(JsonNode found, Instant now) {
    Table table =
        new Table("ID", "STATE", "REGION", "MACHINE", "AGE>", "QUEUED>", "LEASE>", "TENANT");
    for (JsonNode each : found.path("sessions")) {
      String state = each.path("state").asText();
      table.row(
          each.path("id").asText(),
          new Cell(state, state.equals("lost") ? Tone.BAD : Tone.PLAIN),
          each.path("region").asText(),
          each.path("machine").path("id").asText(),
          Human.age(each.path("created_at").asText(), now),
          Human.seconds(each.path("queue_ms").asLong()),
          lease(each, now),
          each.path("tenant").asText("-"));
    }
    return table;
  }

  /** How long it is still good for. */
  private static Cell lease(JsonNode session, Instant now) {
    String until = session.path("lease").path("expires_at").asText();
    if (until.isEmpty()) return new Cell("-", Tone.PLAIN);
    Duration left = Duration.between(now, Instant.parse(until));
    return left.isPositive() ? new Cell(Human.age(left), Tone.PLAIN) : new Cell("late", Tone.ODD);
  }
}
