// SPDX-License-Identifier: Apache-2.0
/** What runs inside simulated Machines: guacd, RDP and a small guest system on real sockets. */
@NullMarked
package cupbear.flysim.viewer;

import org.jspecify.annotations.NullMarked;
