// SPDX-License-Identifier: Apache-2.0
/** The Fly Machines API and its viewers, simulated over real sockets. */
@NullMarked
package cupbear.flysim;

import org.jspecify.annotations.NullMarked;
