// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Writes and closes. What becomes of a write is seen where the connection is read, so the outcomes
 * are dropped, here and nowhere else.
 */
final class Parting {

  private Parting() {}

  static void send(ChannelOutboundInvoker to, ByteBuf octets) {
    var unused = to.writeAndFlush(octets);
  }

  static void close(ChannelOutboundInvoker what) {
    var unused = what.close();
  }

  /** The clean end of a connection: say so, stop sending, read to the end, but not for ever. */
  static void politely(ChannelHandlerContext context, Duration drain) {
    Channel channel = context.channel();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    ChannelFuture said = tls == null ? context.newSucceededFuture() : tls.closeOutbound();
    said.addListener(done -> stopSending(channel));
    Runnable enough = () -> close(channel);
    Future<?> patience = context.executor().schedule(enough, drain.toNanos(), TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(done -> patience.cancel(false));
  }

  private static void stopSending(Channel channel) {
    if (channel instanceof DuplexChannel duplex && channel.isActive()) {
      var unused = duplex.shutdownOutput();
    }
  }
}
