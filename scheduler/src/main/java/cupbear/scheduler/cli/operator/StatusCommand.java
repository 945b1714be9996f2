// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cupbear status}: each regional pool in one line. */
@Command(name = "status", description = "Show each regional pool and what is being done about it.")
public final class StatusCommand extends ApiCommand {
  @Mixin RegionOption region = new RegionOption();

  @Override
  int run(Api api) throws ApiTrouble {
    ObjectNode pools = PoolDocuments.read(api, options.pool(spec), region.value(spec));
    if (output.isJson()) {
      printJson(pools);
      return ExitCode.OK;
    }
    List<PoolDocuments.Place> places = PoolDocuments.places(pools);
    if (places.isEmpty()) {
      say("No such regional pool is declared. All there are: cupbear status");
      return ExitCode.FAILED;
    }
    print(StatusTable.of(places), "");
    say(StatusTable.summary(places));
    return ExitCode.OK;
  }
}
