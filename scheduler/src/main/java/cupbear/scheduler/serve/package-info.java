// SPDX-License-Identifier: Apache-2.0
/** One scheduler process: everything put together, started, reloaded and drained. */
@NullMarked
package cupbear.scheduler.serve;

import org.jspecify.annotations.NullMarked;
