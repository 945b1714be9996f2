// SPDX-License-Identifier: Apache-2.0
/** The scheduler process: wiring only. */
@NullMarked
package cupbear.scheduler;

import org.jspecify.annotations.NullMarked;
