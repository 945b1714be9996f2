// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundInvoker;

/**
 * Writes and closings that nobody waits for. A write fails only with its connection, and the end of
 * a connection is seen where it is read; so the outcomes are dropped, here and nowhere else.
 */
final class Outgoing {

  private Outgoing() {}

  static void send(ChannelOutboundInvoker to, ByteBuf octets) {
    var unused = to.writeAndFlush(octets);
  }

  static void sendAndClose(ChannelOutboundInvoker to, ByteBuf octets) {
    var unused = to.writeAndFlush(octets).addListener(ChannelFutureListener.CLOSE);
  }

  static void close(ChannelOutboundInvoker what) {
    var unused = what.close();
  }
}
