// SPDX-License-Identifier: Apache-2.0
/** What a load run saw, and how it is told: HTML to look at, JSON and .hgrm for programs. */
@NullMarked
package cupbear.load.report;

import org.jspecify.annotations.NullMarked;
