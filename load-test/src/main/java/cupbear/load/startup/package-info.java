// SPDX-License-Identifier: Apache-2.0
/** How soon a scheduler serves and what it costs when nothing happens. */
@NullMarked
package cupbear.load.startup;

import org.jspecify.annotations.NullMarked;
