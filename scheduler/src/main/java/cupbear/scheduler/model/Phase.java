// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;

/** The name of each {@link MachineState}, without its data: for tables, tags and counts. */
public enum Phase {
  PROVISIONING,
  PROVING,
  WARM,
  ASSIGNED,
  DRAINING,
  PARKED,
  CONDEMNED;

  /** The word used in metadata, metrics and tables. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
