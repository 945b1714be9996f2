// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Verdict;
import java.time.Duration;

/**
 * What is counted and timed, in our words; names of metrics live in telemetry. Cheap and never
 * failing; the defaults do nothing.
 */
public interface Meters {
  Meters NONE = new Meters() {};

  /** A session request was answered. */
  default void assigned(PoolName pool, Region region, String outcome, Duration took) {}

  /** A session is connected, this long after its answer. */
  default void connected(PoolName pool, Region region, Duration took) {}

  /** A pass decided. */
  default void planned(PoolName pool, Region region, Plan plan) {}

  /** An action ended. */
  default void acted(PoolName pool, Region region, ActionKind kind, String outcome) {}

  /** A Machine is given up and replaced. */
  default void replaced(PoolName pool, Region region, Reason reason) {}

  default void probed(PoolName pool, Region region, Verdict verdict, Duration took) {}

  /** Something that must not happen, happened: counted, alerted, survived. */
  default void breach(PoolName pool, Region region, String what) {}
}
