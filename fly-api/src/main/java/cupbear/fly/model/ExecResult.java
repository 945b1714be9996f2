// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/** How a command ended. Fly answers 200 for a failed command too: look at {@link #ok}. */
public record ExecResult(int exitCode, int exitSignal, String stdout, String stderr) {
  public ExecResult {
    stdout = Absent.text(stdout);
    stderr = Absent.text(stderr);
  }

  public boolean ok() {
    return exitCode == 0 && exitSignal == 0;
  }

  /** Without its output, which may repeat what was on stdin. */
  @Override
  public String toString() {
    return "ExecResult[exitCode=" + exitCode + ", exitSignal=" + exitSignal + "]";
  }
}
