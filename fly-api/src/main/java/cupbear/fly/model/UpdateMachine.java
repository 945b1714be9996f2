// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/**
 * A whole new configuration. Restarts a running Machine and leaves a stopped one stopped.
 *
 * @param currentVersion the {@code instance_id} that was read; empty to overwrite whatever is there
 *     (a lost answer can then not be looked up)
 */
public record UpdateMachine(MachineConfig config, String currentVersion, boolean skipLaunch) {
  public UpdateMachine {
    currentVersion = Absent.text(currentVersion);
  }

  public static UpdateMachine of(MachineConfig config, String currentVersion) {
    return new UpdateMachine(config, currentVersion, false);
  }
}
