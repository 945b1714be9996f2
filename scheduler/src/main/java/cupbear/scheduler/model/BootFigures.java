// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/** How long Machines of the current template took from start to proven, here. */
public record BootFigures(int samples, Duration p95, Duration p99) {
  public static final BootFigures NONE = new BootFigures(0, Duration.ZERO, Duration.ZERO);
}
