// SPDX-License-Identifier: Apache-2.0
/** What a pass of the control loop costs as pools grow: reading Fly's list, and planning. */
@NullMarked
package cupbear.load.reconcile;

import org.jspecify.annotations.NullMarked;
