// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.util.Locale;

/** How a call ended, as a closed set for metric labels. */
public enum Outcome {
  OK,
  /** The answer was lost, but a look showed that the request had been carried out. */
  FOUND_DONE,
  RATE_LIMITED,
  NOT_FOUND,
  LEASE_HELD,
  NAME_TAKEN,
  NO_CAPACITY,
  PRECONDITION,
  VERSION_CONFLICT,
  MACHINE_LIMIT,
  UNAUTHORISED,
  FORBIDDEN,
  TIMED_OUT,
  UNREACHABLE,
  UNAVAILABLE,
  BAD_REQUEST,
  UNREADABLE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
