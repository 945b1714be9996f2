// SPDX-License-Identifier: Apache-2.0
/** Asks viewers over the network whether they are well; the prober's words end here. */
@NullMarked
package cupbear.scheduler.adapter.probe;

import org.jspecify.annotations.NullMarked;
