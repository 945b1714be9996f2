// SPDX-License-Identifier: Apache-2.0
/** The deterministic simulation: the real scheduler in a world made of one queue and one seed. */
@NullMarked
package cupbear.scheduler.sim;

import org.jspecify.annotations.NullMarked;
