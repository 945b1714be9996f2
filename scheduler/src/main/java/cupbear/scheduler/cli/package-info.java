// SPDX-License-Identifier: Apache-2.0
/** The command line. */
@NullMarked
package cupbear.scheduler.cli;

import org.jspecify.annotations.NullMarked;
