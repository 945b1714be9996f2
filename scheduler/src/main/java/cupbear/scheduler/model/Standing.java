// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;

/** What the store holds true of a Machine. */
public enum Standing {
  PROVISIONING,
  PROVING,
  WARM,
  ASSIGNED,
  DRAINING,
  PARKED,
  CONDEMNED,
  /** The store lost data and Fly's tags say "in use": kept for its session, then recycled. */
  UNKNOWN;

  /** The word used in metadata, tables and the journal. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
