// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/**
 * The evidence of demand for one regional pool.
 *
 * @param fastArrivals session requests in the fast window
 * @param slowArrivals session requests in the slow window
 * @param hintedPerSecond what an external signal announces; raises the estimate, never lowers it
 * @param spilledIn Machines that a neighbour short of capacity cannot bring up
 * @param queueDepth waiters now
 * @param queueP95 queue time over the last ten seconds
 * @param heldTarget the largest target of the hold window; 0 without one
 */
public record Demand(
    long fastArrivals,
    long slowArrivals,
    double hintedPerSecond,
    int spilledIn,
    int queueDepth,
    Duration queueP95,
    int heldTarget) {
  public static final Demand NONE = new Demand(0, 0, 0, 0, 0, Duration.ZERO, 0);

  public Demand {
    if (fastArrivals < 0 || slowArrivals < 0 || spilledIn < 0 || queueDepth < 0 || heldTarget < 0) {
      throw new IllegalArgumentException("demand has a negative count; counts start at 0");
    }
    if (!(hintedPerSecond >= 0) || Double.isInfinite(hintedPerSecond)) {
      throw new IllegalArgumentException(
          "hinted rate is " + hintedPerSecond + "; give a finite number of sessions per second");
    }
    queueP95 = queueP95 == null ? Duration.ZERO : queueP95;
  }
}
