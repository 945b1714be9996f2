// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.cli.operator.ActCommand;
import cupbear.scheduler.cli.operator.EventsCommand;
import cupbear.scheduler.cli.operator.MachinesCommand;
import cupbear.scheduler.cli.operator.ReloadCommand;
import cupbear.scheduler.cli.operator.SessionsCommand;
import cupbear.scheduler.cli.operator.StatusCommand;
import cupbear.scheduler.cli.operator.WaitCommand;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code cupbear} itself. Commands that need only the scheduler are named here; those
 * that run the whole system on one machine (dev, load, fly-sim) are added by {@code
 * cupbear.load.Main}.
 */
@Command(
    name = "cupbear",
    description = "Keeps remote-desktop viewer Machines warm on Fly and hands one to each session.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StatusCommand.class,
      PlanCommand.class,
      MachinesCommand.class,
      SessionsCommand.class,
      ActCommand.Drain.class,
      ActCommand.Cordon.class,
      ActCommand.Uncordon.class,
      ActCommand.Pause.class,
      ActCommand.Resume.class,
      EventsCommand.class,
      WaitCommand.class,
      ReloadCommand.class,
      SizeCommand.class,
      SimulateCommand.class,
      ProbeCommand.class,
      ConfigCommand.class,
      TokenCommand.class,
      BenchCommand.class,
      VersionCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed",
      "2:wrong usage",
      "3:not converged in time, or a promise was broken",
      "4:not authorised",
      "5:cannot reach the scheduler"
    },
    commandListHeading = "%nCommands:%n")
public final class CupbearCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** The command line with the commands of this package and those given. */
  public static CommandLine commandLine(Object... more) {
    CommandLine line = new CommandLine(new CupbearCommand());
    // Before the settings below, which reach only the commands that are there.
    for (Object each : more) line.addSubcommand(each);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(CupbearCommand::explain);
  }

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    throw new ParameterException(line, "Missing command. Try: cupbear --help");
  }

  /** A person gets one line; the stack trace is there for those who ask with CUPBEAR_DEBUG. */
  private static int explain(Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    line.getErr().println("cupbear " + line.getCommandName() + ": " + message);
    if (System.getenv("CUPBEAR_DEBUG") != null) failure.printStackTrace(line.getErr());
    else line.getErr().println("Set CUPBEAR_DEBUG=1 to see where it came from.");
    return ExitCode.FAILED;
  }

  public static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"cupbear " + BuildInfo.current().version()};
    }
  }
}
