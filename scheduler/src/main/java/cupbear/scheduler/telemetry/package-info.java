// SPDX-License-Identifier: Apache-2.0
/**
 * How it is going, for machines and people: the one place for the names of metrics ({@link
 * cupbear.scheduler.telemetry.Metric}), spans and log fields. {@link
 * cupbear.scheduler.telemetry.Telemetry} is the door; everything behind it may be left out without
 * changing a decision.
 */
@NullMarked
package cupbear.scheduler.telemetry;

import org.jspecify.annotations.NullMarked;
