// SPDX-License-Identifier: Apache-2.0
/** {@code cupbear load}: users who come by a schedule, what goes wrong meanwhile, who watches. */
@NullMarked
package cupbear.load.run;

import org.jspecify.annotations.NullMarked;
