// SPDX-License-Identifier: Apache-2.0
/** People who look at desktops, as a gateway sees them. */
@NullMarked
package cupbear.load.viewer;

import org.jspecify.annotations.NullMarked;
