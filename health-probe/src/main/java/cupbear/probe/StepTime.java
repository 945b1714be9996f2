// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.time.Duration;

/**
 * How long one step took, from handing over its write to its answer (or to the end of the probe).
 */
public record StepTime(ProbeStep step, Duration took) {}
