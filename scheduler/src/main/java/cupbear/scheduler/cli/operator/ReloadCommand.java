// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import cupbear.scheduler.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * {@code cupbear reload}: every replica that the address leads to reads its configuration again,
 * because each has its own.
 */
@Command(name = "reload", description = "Let the schedulers read their configuration again.")
public final class ReloadCommand extends ApiCommand {
  @Override
  int run(Api api) throws ApiTrouble {
    List<Api.Server> servers = api.servers();
    ArrayNode answers = Api.mapper().createArrayNode();
    int worst = ExitCode.OK;
    for (Api.Server server : servers) {
      try {
        JsonNode answer = api.post(server, "/v1/config/reload", null);
        answers.add(answer);
        if (!answer.path("needs_restart").isEmpty()) worst = Math.max(worst, ExitCode.FAILED);
        if (!output.isJson()) tell(server, answer, servers.size() > 1);
      } catch (ApiTrouble trouble) {
        worst = Math.max(worst, tell(spec, trouble));
      }
    }
    if (output.isJson() && !answers.isEmpty()) {
      printJson(servers.size() == 1 ? answers.get(0) : answers);
    }
    return worst;
  }

  private void tell(Api.Server server, JsonNode answer, boolean several) {
    String where = several ? server + ": " : "";
    List<String> changed = texts(answer.path("changed"));
    List<String> restart = texts(answer.path("needs_restart"));
    if (!restart.isEmpty()) {
      out()
          .printf(
              "%snothing was taken over: these need a restart: %s%n",
              where, String.join(", ", restart));
    } else if (changed.isEmpty()) {
      out().printf("%snothing has changed%n", where);
    } else {
      out().printf("%sin force: %s%n", where, String.join(", ", changed));
    }
    out().flush();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(Human.clean(each.asText())));
    return texts;
  }
}
