// SPDX-License-Identifier: Apache-2.0
/** What the Fly Machines API says and hears, as values. Unknown fields and words never break them. */
@NullMarked
package cupbear.fly.model;

import org.jspecify.annotations.NullMarked;
