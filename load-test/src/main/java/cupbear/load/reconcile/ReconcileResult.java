// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import java.util.List;

/**
 * What a pass costs at several sizes; medians over all rounds.
 *
 * @param maxHeapBytes what the JVM may use
 * @param parse reading Fly's list, from its bytes to our words
 * @param plan deciding what to do
 */
public record ReconcileResult(int rounds, long maxHeapBytes, List<Cost> parse, List<Cost> plan) {

  /**
   * The cost at one size.
   *
   * @param allocatedBytes most of it garbage at once
   * @param timeGrowth time for each Machine against that at the size before; 1 is in proportion
   * @param memoryGrowth the same of what is allocated
   */
  public record Cost(
      int machines,
      double millis,
      long allocatedBytes,
      double microsEach,
      double bytesEach,
      double timeGrowth,
      double memoryGrowth) {

    static Cost first(int machines, double nanos, double bytes) {
      return of(machines, nanos, bytes, 1, 1);
    }

    Cost next(int more, double nanos, double bytes) {
      double timeGrowth = nanos / 1e3 / more / microsEach;
      return of(more, nanos, bytes, timeGrowth, bytes / more / bytesEach);
    }

    private static Cost of(
        int machines, double nanos, double bytes, double timeGrowth, double memoryGrowth) {
      return new Cost(
          machines,
          nanos / 1e6,
          Math.round(bytes),
          nanos / 1e3 / machines,
          bytes / machines,
          timeGrowth,
          memoryGrowth);
    }
  }
}
