// SPDX-License-Identifier: Apache-2.0
/** Typed client of the Fly Machines API; knows HTTP and JSON, nothing of pools. */
@NullMarked
package cupbear.fly;

import org.jspecify.annotations.NullMarked;
