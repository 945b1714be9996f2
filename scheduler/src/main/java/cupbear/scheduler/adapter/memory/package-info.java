// SPDX-License-Identifier: Apache-2.0
/** The store without wires: the reference that the Redis scripts mirror, and the simulation's. */
@NullMarked
package cupbear.scheduler.adapter.memory;

import org.jspecify.annotations.NullMarked;
