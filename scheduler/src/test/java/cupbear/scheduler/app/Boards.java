// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PlanDigest;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionStatus;
import java.time.Duration;
import java.time.Instant;

/** What a loop would put on the board, for tests elsewhere. */
public final class Boards {
  private Boards() {}

  /** A pass of a loop that runs here, heard of by all. */
  public static void passed(
      RegionBoard board, PoolName pool, String region, Instant at, Plan plan) {
    var code = new cupbear.scheduler.model.Region(region);
    board.heard(
        pool, code, new RegionBoard.Word(at, plan.unmet(), Duration.ZERO, PlanDigest.of(plan)));
    RegionStatus status =
        new RegionStatus(
            pool,
            code,
            at,
            plan.target(),
            plan.counts(),
            0,
            0,
            plan.unmet(),
            Duration.ZERO,
            false,
            plan.findings());
    board.publish(status, plan);
  }
}
