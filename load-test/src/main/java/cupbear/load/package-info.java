// SPDX-License-Identifier: Apache-2.0
/** Load generator, chaos scenarios and dev mode: everything that runs the whole system at once. */
@NullMarked
package cupbear.load;

import org.jspecify.annotations.NullMarked;
