// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.time.Duration;
import java.util.List;

/**
 * One probe's end.
 *
 * @param steps those that were entered, in order; the last is where it ended
 * @param took the whole probe up to the verdict, without the parting
 */
public record ProbeReport(ProbeResult result, List<StepTime> steps, Duration took) {

  public ProbeReport {
    steps = List.copyOf(steps);
  }

  /** A report of something that never began. */
  static ProbeReport notBegun(ProbeResult result) {
    return new ProbeReport(result, List.of(), Duration.ZERO);
  }

  public boolean healthy() {
    return result.weight() == Weight.HEALTHY;
  }
}
