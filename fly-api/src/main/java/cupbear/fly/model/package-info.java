// SPDX-License-Identifier: Apache-2.0
/** What the Fly Machines API says and hears, as values that no unknown field or word breaks. */
@NullMarked
package cupbear.fly.model;

import org.jspecify.annotations.NullMarked;
