// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Mode;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.HexFormat;

/** What answers a connection, by service and mode. Immutable, any thread. */
final class ViewerPipelines {

  /** The two things that listen in every Machine. */
  enum Service {
    GUACD,
    RDP
  }

  private static final String DRIP = "drip";

  // Neither a TPKT header nor an element length nor a TLS record, whatever the reader hopes for.
  private static final byte[] NOISE = HexFormat.of().parseHex("fee1dead00ff7f80a5a5a5a5deadc0de0a");

  private final ViewerSettings settings;

  ViewerPipelines(ViewerSettings settings) {
    this.settings = settings;
  }

  void install(Channel channel, Service service, Mode mode, GuestSessions sessions) {
    ChannelPipeline pipeline = channel.pipeline();
    switch (mode) {
      case READY -> answer(pipeline, service, sessions);
      case DRIP -> {
        pipeline.addLast(DRIP, new DripHandler(settings.dripEvery()));
        answer(pipeline, service, sessions);
      }
      case GARBAGE -> pipeline.addLast(new Garbage());
      case HANG -> pipeline.addLast(new Silence());
      // The mode changed between the kernel's accept and ours.
      case BOOTING, CRASHED -> Outgoing.close(channel);
    }
  }

  /** Makes a connection that was being answered go silent, as a stopped process does. */
  static void freeze(Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addLast(new Silence());
    while (!(pipeline.first() instanceof Silence)) {
      pipeline.removeFirst();
    }
  }

  /** TLS goes above the drip, or whole records would come at once. */
  static void addTls(ChannelPipeline pipeline, SslHandler handler) {
    if (pipeline.get(DRIP) == null) {
      pipeline.addFirst(handler);
    } else {
      pipeline.addAfter(DRIP, "tls", handler);
    }
  }

  private void answer(ChannelPipeline pipeline, Service service, GuestSessions sessions) {
    switch (service) {
      case GUACD -> {
        pipeline.addLast(new GuacDecoder());
        pipeline.addLast(new GuacdResponder(sessions, settings));
      }
      case RDP -> {
        pipeline.addLast(new TpktDecoder());
        pipeline.addLast(
            new RdpResponder(settings.rdpSecurity(), ServerCertificate.context(), sessions));
      }
    }
  }

  /** Reads, so that a leaving client is noticed, and says nothing. */
  private static final class Silence extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Outgoing.close(ctx);
    }
  }

  /** Talks first, and nonsense. */
  private static final class Garbage extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Outgoing.send(ctx, Unpooled.wrappedBuffer(NOISE));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      Outgoing.send(ctx, Unpooled.wrappedBuffer(NOISE));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Outgoing.close(ctx);
    }
  }
}
