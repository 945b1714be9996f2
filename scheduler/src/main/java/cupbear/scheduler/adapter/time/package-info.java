// SPDX-License-Identifier: Apache-2.0
/** Clocks, timers, names and chance of a running process. */
@NullMarked
package cupbear.scheduler.adapter.time;

import org.jspecify.annotations.NullMarked;
