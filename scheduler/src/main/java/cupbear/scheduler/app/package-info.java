// SPDX-License-Identifier: Apache-2.0
/** Use cases: assign a session, run effects, supervise loops. */
@NullMarked
package cupbear.scheduler.app;

import org.jspecify.annotations.NullMarked;
