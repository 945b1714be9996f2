// SPDX-License-Identifier: Apache-2.0
/** The soft state of one regional pool: events in, effects out, one thread. */
@NullMarked
package cupbear.scheduler.loop;

import org.jspecify.annotations.NullMarked;
