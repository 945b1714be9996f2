// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import cupbear.scheduler.cli.CupbearCommand;
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
    return CupbearCommand.commandLine().addSubcommand(new FlySimCommand());
  }
}
