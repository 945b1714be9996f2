// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;

/** Something a plan noticed and did not (or could not) act upon. */
public record Finding(Kind kind, int count, String detail) {
  /** What can be noticed; a closed set, so that it can label a metric. */
  public enum Kind {
    NO_VIEW(true),
    STALE_VIEW(true),
    LIST_COLLAPSED(true),
    LIST_DISAGREES(false),
    BRAKE_ON(true),
    CAPACITY_SHORT(true),
    BUDGET_LIMITED(true),
    HOST_DOUBTFUL(false),
    SESSION_LOST(true),
    UNKNOWN_MACHINES(false),
    FOREIGN_MACHINES(false);

    private final boolean alert;

    Kind(boolean alert) {
      this.alert = alert;
    }

    /** The word used in metrics, audit and tables. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Should somebody be told? */
  public boolean alert() {
    return kind.alert;
  }
}
