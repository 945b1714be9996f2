// SPDX-License-Identifier: Apache-2.0
/** What the scheduler needs from the world, in its own words. */
@NullMarked
package cupbear.scheduler.port;

import org.jspecify.annotations.NullMarked;
