// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;

/**
 * How the process in a Machine ended.
 *
 * @param exitCode the one to believe; {@code guestExitCode} is 0 for an out-of-memory kill
 * @param requestedStop true when somebody asked for it through the API
 * @param restarting true when the restart policy brings the Machine back
 */
public record ExitEvent(
    int exitCode,
    int guestExitCode,
    int signal,
    boolean oomKilled,
    boolean requestedStop,
    boolean restarting,
    Instant exitedAt,
    String error) {
  public ExitEvent {
    exitedAt = Absent.time(exitedAt);
    error = Absent.text(error);
  }
}
