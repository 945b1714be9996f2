// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;

/** Opens one socket for one conversation. Any thread. */
final class Dialer {

  private Dialer() {}

  static ProbeRun dial(
      EventLoop loop,
      InetSocketAddress target,
      Conversation talk,
      Deadlines deadlines,
      TlsClient tls) {
    if (target.isUnresolved()) {
      throw new IllegalArgumentException("resolve the name first: probes dial checked addresses");
    }
    ProbeHandler handler = new ProbeHandler(loop, talk, deadlines, tls);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .disableResolver()
            .option(ChannelOption.TCP_NODELAY, true)
            // The probe's own clock ends the connect; this one would not know who is late.
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(512, 2048, Framing.FRAME_MAX))
            .handler(handler);
    loop.execute(() -> handler.connecting(bootstrap.connect(target)));
    return handler;
  }
}
