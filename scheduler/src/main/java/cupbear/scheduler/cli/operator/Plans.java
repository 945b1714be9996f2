// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.Output;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code cupbear plan} over the API: what the newest pass decided, and why. A plan is known to the
 * replica that leads its region, so every address is asked until all plans are there.
 */
public final class Plans {
  private final CommandSpec spec;
  private final ApiOptions options;

  public Plans(CommandSpec spec, ApiOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /** Prints the plans of one pool, or of all. */
  public int show(@Nullable String pool, @Nullable String region, boolean json) {
    if (region != null) ApiOptions.checked(spec, () -> new Region(region));
    if (pool != null) ApiOptions.checked(spec, () -> new PoolName(pool));
    try (Api api = options.open(spec)) {
      ObjectNode found = read(api, pool == null ? options.pool(spec) : pool, region);
      PrintWriter out = spec.commandLine().getOut();
      if (json) Output.printJson(out, found);
      else print(out, found, options.isColoured());
      return ExitCode.OK;
    } catch (ApiTrouble trouble) {
      return ApiCommand.tell(spec, trouble);
    }
  }

  private static ObjectNode read(Api api, @Nullable String only, @Nullable String region)
      throws ApiTrouble {
    ArrayNode plans = Api.mapper().createArrayNode();
    ArrayNode elsewhere = Api.mapper().createArrayNode();
    if (only != null) {
      readPool(api, only, region, plans, elsewhere);
    } else {
      for (JsonNode pool : PoolDocuments.read(api, null, region).path("pools")) {
        readPool(api, pool.path("name").asText(), region, plans, elsewhere);
      }
    }
    ObjectNode found = Api.mapper().createObjectNode();
    found.set("plans", plans);
    if (!elsewhere.isEmpty()) found.set("elsewhere", elsewhere);
    return found;
  }

  private static void readPool(
      Api api, String pool, @Nullable String region, ArrayNode plans, ArrayNode elsewhere)
      throws ApiTrouble {
    String path = "/v1/pools/" + pool + "/plan" + (region == null ? "" : "?region=" + region);
    JsonNode first = api.get(path);
    first.path("plans").forEach(plans::add);
    Map<String, JsonNode> missing = new LinkedHashMap<>();
    first.path("elsewhere").forEach(each -> missing.put(each.path("region").asText(), each));
    for (Api.Server other : api.servers().stream().skip(1).toList()) {
      if (missing.isEmpty()) break;
      try {
        for (JsonNode plan : api.get(other, path).path("plans")) {
          if (missing.remove(plan.path("region").asText()) != null) plans.add(plan);
        }
      } catch (ApiTrouble.Unreachable gone) {
        // What it knew, its successor will.
      }
    }
    missing.values().forEach(elsewhere::add);
  }

  static void print(PrintWriter out, JsonNode found, boolean colour) {
    boolean first = true;
    for (JsonNode plan : found.path("plans")) {
      if (!first) out.println();
      first = false;
      print(out, plan);
      Table actions = actions(plan);
      if (!actions.isEmpty()) actions.print(out, colour);
    }
    for (JsonNode each : found.path("elsewhere")) {
      String replica = each.path("replica").asText();
      String region = Human.clean(each.path("region").asText());
      if (replica.isEmpty()) {
        out.printf("%s: nobody leads it now, so there is no plan%n", region);
      } else {
        out.printf(
            "%s: its plan is with replica %s; name that one's address in --api%n",
            region, Human.clean(replica));
      }
    }
    out.flush();
  }

  private static void print(PrintWriter out, JsonNode plan) {
    JsonNode counts = plan.path("counts");
    out.printf(
        "%s in %s at %s%n",
        Human.clean(plan.path("pool").asText()),
        Human.clean(plan.path("region").asText()),
        Human.moment(plan.path("at").asText()));
    out.printf("target   %s%n", Human.clean(plan.path("target").path("why").asText()));
    out.printf(
        "counted  %d warm, %d coming up, %d expected · %d assigned, %d draining, %d parked,"
            + " %d condemned%n",
        counts.path("warm").asInt(),
        counts.path("coming_up").asInt(),
        counts.path("expected").asInt(),
        counts.path("assigned").asInt(),
        counts.path("draining").asInt(),
        counts.path("parked").asInt(),
        counts.path("condemned").asInt());
    for (JsonNode finding : plan.path("findings")) {
      out.printf(
          "%s  %s: %s%n",
          finding.path("alert").asBoolean() ? "alert  " : "note   ",
          Human.clean(finding.path("finding").asText()),
          Human.clean(finding.path("detail").asText()));
    }
    int unmet = plan.path("unmet").asInt();
    if (unmet > 0) out.printf("unmet    %d, left to the next region%n", unmet);
    if (plan.path("partial").asBoolean()) {
      out.printf("partial  there is more to do; the loop comes back at once%n");
    }
    if (plan.path("actions").isEmpty()) out.printf("nothing to do%n");
  }

  private static Table actions(JsonNode plan) {
    Table table = new Table("ACTION", "ON", "REASON", "BECAUSE");
    for (JsonNode each : plan.path("actions")) {
      table.row(
          each.path("action").asText(),
          each.path("on").asText(),
          each.path("reason").asText(),
          each.path("because").asText());
    }
    return table;
  }
}
