// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

/** The exit codes of every command, the same meaning everywhere. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int NOT_CONVERGED = 3;
  public static final int NOT_AUTHORISED = 4;
  public static final int UNREACHABLE = 5;

  private ExitCode() {}
}
