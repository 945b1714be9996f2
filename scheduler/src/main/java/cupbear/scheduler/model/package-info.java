// SPDX-License-Identifier: Apache-2.0
/** Values: what the scheduler talks about. Validated when made, immutable after. */
@NullMarked
package cupbear.scheduler.model;

import org.jspecify.annotations.NullMarked;
