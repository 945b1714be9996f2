// SPDX-License-Identifier: Apache-2.0
/** The running scheduler from outside: real processes, real sockets, and what goes wrong. */
@NullMarked
package cupbear.load.e2e;

import org.jspecify.annotations.NullMarked;
