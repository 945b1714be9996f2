// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler;

import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.serve.ServeCommand;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The production entry point: the scheduler and its operator commands, nothing simulated. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** All commands that production needs, and those given. */
  public static CommandLine commandLine(Object... more) {
    return CupbearCommand.commandLine(
        Stream.concat(Stream.of(new ServeCommand()), Stream.of(more)).toArray());
  }
}
