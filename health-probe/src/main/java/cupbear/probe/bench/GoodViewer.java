// SPDX-License-Identifier: Apache-2.0
package cupbear.probe.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;

/**
 * A viewer that always answers well, on loopback: guacd and an RDP server, as guacd 1.6 and xrdp
 * 0.10 were recorded. It counts octets instead of reading them, so that a benchmark measures the
 * probe and little else. On one thread of its own.
 */
public final class GoodViewer implements AutoCloseable {

  private static final int BACKLOG = 1024;

  /**
   * One turn.
   *
   * @param request how many octets the client sends
   * @param answer what it gets for them
   */
  private record Turn(int request, String answer) {}

  private static final String NO_SUCH = "5.error,19.No such connection.,3.516;";
  private static final String ARGS = "4.args,13.VERSION_1_5_0,8.hostname,4.port;";
  private static final String DEMAND_ACTIVE =
      "0300002402f08068000303eb701616001100ec03ea030100040004005244500000000000";

  /** The first turn is in the clear, the others are inside TLS. */
  private static final List<Turn> RDP =
      List.of(
          new Turn(19, "030000130ed000001234000201080001000000"),
          new Turn(
              386,
              "0300006502f0807f665b0a0100020100301a020116020103020100020101020100020101020300fff8"
                  + "0201020437000500147c00012a14760a01010001c0004d63446e8020010c0c0004000800030000"
                  + "00030c0800eb030000020c0c000000000000000000"),
          new Turn(20, "0300000b02f0802e000003"),
          new Turn(12, "0300000f02f0803e00000303ec03ec"),
          new Turn(12, "0300000f02f0803e00000303eb03eb"),
          new Turn(
              247,
              "0300002202f08068000303eb701480020000ff031000070000000200000004000000"
                  + DEMAND_ACTIVE),
          new Turn(9, "0300000902f0802180"));

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("good-viewer", true), NioIoHandler.newFactory());
  private final InetSocketAddress guacd;
  private final InetSocketAddress rdp;

  public GoodViewer() throws IOException {
    SslContext tls = tls(SelfSigned.make());
    guacd = listen(GuacdAnswers::new);
    rdp = listen(() -> new RdpAnswers(tls));
  }

  public InetSocketAddress guacd() {
    return guacd;
  }

  public InetSocketAddress rdp() {
    return rdp;
  }

  private InetSocketAddress listen(Supplier<ChannelHandler> answers) {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(answers.get());
                  }
                });
    Channel listening =
        server.bind(InetAddress.getLoopbackAddress(), 0).syncUninterruptibly().channel();
    return (InetSocketAddress) listening.localAddress();
  }

  private static SslContext tls(KeyStore store) throws IOException {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, SelfSigned.password());
      return SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK).build();
    } catch (GeneralSecurityException e) {
      throw new IOException("this JDK cannot use the certificate it made", e);
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(4, TimeUnit.SECONDS);
  }

  private static final class RdpAnswers extends SimpleChannelInboundHandler<ByteBuf> {
    private final SslContext tls;
    private int turn;
    private int heard;

    RdpAnswers(SslContext tls) {
      this.tls = tls;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf octets) {
      heard += octets.readableBytes();
      while (turn < RDP.size() && heard >= RDP.get(turn).request()) {
        Turn now = RDP.get(turn++);
        heard -= now.request();
        boolean last = turn == RDP.size();
        ByteBuf answer = Unpooled.wrappedBuffer(HexFormat.of().parseHex(now.answer()));
        var sent = context.writeAndFlush(answer);
        if (last) sent.addListener(ChannelFutureListener.CLOSE);
        else if (turn == 1) context.pipeline().addFirst(tls.newHandler(context.alloc()));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      // A client that leaves early; benchmarks do.
      var unused = context.close();
    }
  }

  private static final class GuacdAnswers extends SimpleChannelInboundHandler<ByteBuf> {
    private final StringBuilder heard = new StringBuilder();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf octets) {
      heard.append(octets.toString(StandardCharsets.US_ASCII));
      if (heard.indexOf(";") < 0) return;
      boolean plugin = heard.indexOf("3.rdp;") >= 0;
      heard.setLength(0);
      var sent =
          context.writeAndFlush(
              Unpooled.copiedBuffer(plugin ? ARGS : NO_SUCH, StandardCharsets.US_ASCII));
      if (!plugin) sent.addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var unused = context.close();
    }
  }
}
