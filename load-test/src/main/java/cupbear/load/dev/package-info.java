// SPDX-License-Identifier: Apache-2.0
/** {@code cupbear dev}: the whole system in a terminal, with something going on in it. */
@NullMarked
package cupbear.load.dev;

import org.jspecify.annotations.NullMarked;
