// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear bench}: small measurements of parts, each against a yardstick in the same run. */
@Command(
    name = "bench",
    description = "Measure what a part costs on this machine.",
    synopsisSubcommandLabel = "PART",
    subcommands = ProbeBenchCommand.class)
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String parts = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(spec.commandLine(), "Missing part; there are: " + parts);
  }
}
