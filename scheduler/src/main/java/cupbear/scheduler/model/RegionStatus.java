// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How a regional pool stands after a pass, for people, meters and neighbours.
 *
 * @param waiting requests in the queue that could be served from here
 * @param unhealthy Machines whose newest probe failed after they had been proven
 * @param unmet Machines that are missing and cannot be had here now
 * @param boot how long a replacement takes
 * @param paused an operator stopped the loop from acting
 */
public record RegionStatus(
    PoolName pool,
    Region region,
    Instant at,
    Target target,
    Counts counts,
    int waiting,
    int unhealthy,
    int unmet,
    Duration boot,
    boolean paused,
    List<Finding> findings) {
  public RegionStatus {
    findings = List.copyOf(findings);
  }
}
