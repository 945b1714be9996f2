// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;

/** Why an action is taken: a closed set, so that it can label a metric. */
public enum Reason {
  UNDER_TARGET,
  SPIKE,
  ROLLING,
  CREDENTIALS_MISSING,
  UNPROVEN,
  SURPLUS,
  COST_GUARD,
  OLD_TEMPLATE,
  MAX_IDLE_AGE,
  OPERATOR,
  SESSION_ENDED,
  AFTER_SESSION,
  BOOTED,
  STOPPED,
  PARKED_MAX,
  STARTED_BY_OTHERS,
  STRUCK_OUT,
  BOOT_DEADLINE,
  LAUNCH_FAILED,
  EXITED,
  STOPPED_BY_OTHERS,
  GONE,
  HOST_DOUBTFUL,
  TEARDOWN_FAILED,
  DRAIN_STUCK,
  CONDEMNED,
  UNKNOWN_STATE,
  TAG_DRIFT;

  /** The word used in metrics, audit and tables. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
