// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import org.jspecify.annotations.Nullable;

/** One configuration that a Machine had; null when Fly did not say which. */
public record MachineVersion(String version, @Nullable MachineConfig userConfig) {
  public MachineVersion {
    version = Absent.text(version);
  }
}
