// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pass costs at several sizes; medians over all rounds.
 *
 * @param maxHeapBytes what the JVM may use
 * @param parse reading Fly's list, from its bytes to our words
 * @param plan deciding what to do
 */
public record ReconcileResult(int rounds, long maxHeapBytes, List<Cost> parse, List<Cost> plan) {

  /** One turn: by the clock, on the CPU, and what was allocated. */
  record Sample(double nanos, double cpuNanos, double bytes) {}

  /**
   * The cost at one size.
   *
   * @param millis by the clock; whoever else uses the computer is in it
   * @param cpuMillis of the thread that did it, without the collecting of its garbage
   * @param allocatedBytes most of it garbage at once
   * @param cpuMicrosEach for one Machine
   * @param bytesEach for one Machine
   * @param timeGrowth CPU time for one Machine against that at the size before; 1 is in proportion
   * @param memoryGrowth the same of what is allocated
   */
  public record Cost(
      int machines,
      double millis,
      double cpuMillis,
      long allocatedBytes,
      double cpuMicrosEach,
      double bytesEach,
      double timeGrowth,
      double memoryGrowth) {

    /**
     * @param before at the size before; null at the first
     */
    static Cost of(int machines, Sample sample, @Nullable Cost before) {
      double micros = sample.cpuNanos / 1e3 / machines;
      double bytes = sample.bytes / machines;
      return new Cost(
          machines,
          sample.nanos / 1e6,
          sample.cpuNanos / 1e6,
          Math.round(sample.bytes),
          micros,
          bytes,
          before == null ? 1 : micros / before.cpuMicrosEach,
          before == null ? 1 : bytes / before.bytesEach);
    }
  }
}
