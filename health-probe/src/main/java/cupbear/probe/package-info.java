// SPDX-License-Identifier: Apache-2.0
/** Handshakes with guacd and RDP that a hung server cannot answer. */
@NullMarked
package cupbear.probe;

import org.jspecify.annotations.NullMarked;
