// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;

/** Whether a Machine belongs to the floor of its pool or was brought up for a peak. */
public enum Keep {
  /** Part of the floor; {@code restart.policy: always}. */
  ALWAYS,
  /** Brought up above the floor; {@code restart.policy: no}; parked first when demand is gone. */
  MANUAL;

  /** The word used in metadata. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
