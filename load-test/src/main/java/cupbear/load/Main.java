// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import cupbear.load.assign.AssignBenchCommand;
import cupbear.load.dev.DevCommand;
import cupbear.load.reconcile.ReconcileBenchCommand;
import cupbear.load.run.LoadCommand;
import cupbear.load.startup.StartupBenchCommand;
import java.util.Objects;
import picocli.CommandLine;

/**
 * What {@code ./cupbear} runs: the scheduler's commands plus those that need the whole house on one
 * machine (simulator, embedded Redis, load generator), which never ship with production.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line =
        cupbear.scheduler.Main.commandLine(
            new FlySimCommand(), new DevCommand(), new LoadCommand());
    Objects.requireNonNull(line.getSubcommands().get("bench"))
        .addSubcommand(new AssignBenchCommand())
        .addSubcommand(new ReconcileBenchCommand())
        .addSubcommand(new StartupBenchCommand());
    return line;
  }
}
