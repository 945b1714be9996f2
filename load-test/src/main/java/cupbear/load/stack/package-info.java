// SPDX-License-Identifier: Apache-2.0
/** The whole system on this computer: simulator, real Redis, scheduler processes. */
@NullMarked
package cupbear.load.stack;

import org.jspecify.annotations.NullMarked;
