// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.ProtocolError;
import io.netty.buffer.ByteBuf;

/**
 * The client's half of a protocol as decisions: frames in, moves out. No socket and no clock, so
 * that a recording can be played to it. One per probe, on its event loop.
 */
interface Conversation {

  Framing framing();

  /** The first move, once connected. */
  Move begin();

  /** A whole frame came; the buffer is lent for the length of the call. */
  Move hear(ByteBuf frame);

  /** TLS is up, in this version. */
  Move secured(String version);

  /** The stream ended in the middle of things. */
  default ProbeResult ended(ProbeStep step, Closed.How how, boolean insideFrame) {
    return insideFrame ? new ProtocolError(step, Fault.TRUNCATED, 0) : new Closed(step, how);
  }

  /** What to send when ending before there is a verdict; may be empty. */
  ByteBuf goodbye();
}
