// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler;

import cupbear.scheduler.cli.CupbearCommand;

/** The production entry point: the scheduler and its operator commands, nothing simulated. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(CupbearCommand.commandLine().execute(args));
  }
}
