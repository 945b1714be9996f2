// SPDX-License-Identifier: Apache-2.0
/** Fly's Machines in our words; Fly's own words end here. */
@NullMarked
package cupbear.scheduler.adapter.fly;

import org.jspecify.annotations.NullMarked;
