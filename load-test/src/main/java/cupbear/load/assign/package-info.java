// SPDX-License-Identifier: Apache-2.0
/** The assignment alone, without Fly: measured, and tried by several processes at once. */
@NullMarked
package cupbear.load.assign;

import org.jspecify.annotations.NullMarked;
