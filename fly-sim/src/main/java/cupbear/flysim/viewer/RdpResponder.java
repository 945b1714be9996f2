// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The RDP server's side of one connection, from the X.224 request to Demand Active, as xrdp 0.10.1
 * was recorded (FreeRDP's shadow server where NLA is asked for). One per connection, on its event
 * loop. No session begins: after Demand Active it only listens, as xrdp's login screen would if
 * nobody touched it.
 */
final class RdpResponder extends SimpleChannelInboundHandler<ByteBuf> {

  private static final byte[] DATA_HEADER = {2, (byte) 0xF0, (byte) 0x80};
  // What OpenSSL says to a first record that is none: fatal, decode error.
  private static final byte[] TLS_ALERT = {0x15, 3, 3, 0, 2, 2, 50};

  private static final int ERECT_DOMAIN = 0x04;
  private static final int DISCONNECT = 0x20;
  private static final int ATTACH_USER = 0x28;
  private static final int CHANNEL_JOIN = 0x38;
  private static final int SEND_DATA = 0x64;
  private static final int CHOICE_MASK = 0xFC;

  private static final int CLIENT_INFO = 0x40;
  // Mouse, no Ctrl+Alt+Del, Unicode, maximised shell: xrdp takes anything less for a wrong key.
  private static final int INFO_FLAGS_NEEDED = 0x33;

  private enum State {
    NEGOTIATE,
    TLS_HANDSHAKE,
    MCS_CONNECT,
    MCS_DOMAIN,
    /** Licence and Demand Active are out. */
    ACTIVE,
    CREDSSP,
    ENDED
  }

  private final RdpSecurity security;
  private final SslContext tls;
  private final GuestSessions sessions;
  private final Set<Integer> joined = new HashSet<>();
  private State state = State.NEGOTIATE;
  private State afterTls = State.MCS_CONNECT;
  private OptionalInt offered = OptionalInt.empty();
  private @Nullable McsConnect client;

  RdpResponder(RdpSecurity security, SslContext tls, GuestSessions sessions) {
    this.security = security;
    this.tls = tls;
    this.sessions = sessions;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
    switch (state) {
      case NEGOTIATE -> negotiate(ctx, frame);
      // Cleartext in front of the handshake: nothing that a client may send.
      case TLS_HANDSHAKE -> end(ctx);
      case MCS_CONNECT -> connect(ctx, data(frame));
      case MCS_DOMAIN, ACTIVE -> domain(ctx, data(frame));
      case CREDSSP -> credSsp(ctx, frame);
      case ENDED -> {}
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        state = afterTls;
      } else {
        handshakeFailed(ctx, handshake.cause());
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // Malformed input or a reset. xrdp says goodbye in MCS once it has got that far.
    if (client != null) {
      end(ctx);
    } else {
      state = State.ENDED;
      Outgoing.close(ctx);
    }
  }

  private void negotiate(ChannelHandlerContext ctx, ByteBuf frame) {
    if (!RdpNegotiation.isRequest(frame)) {
      state = State.ENDED;
      Outgoing.close(ctx);
      return;
    }
    offered = RdpNegotiation.offered(frame);
    RdpNegotiation.Answer answer = RdpNegotiation.answer(security, offered);
    Outgoing.send(ctx, answer.confirm());
    sessions.rdpAnswered();
    switch (answer.next()) {
      case TLS -> startTls(ctx, State.MCS_CONNECT);
      case NLA -> {
        ctx.pipeline().replace(TpktDecoder.class, "credssp", new TsRequestDecoder());
        startTls(ctx, State.CREDSSP);
      }
      case STANDARD -> state = State.MCS_CONNECT;
      case ULTIMATUM -> end(ctx);
      case HANG_UP -> {
        state = State.ENDED;
        Outgoing.sendAndClose(ctx, Unpooled.EMPTY_BUFFER);
      }
    }
  }

  private void startTls(ChannelHandlerContext ctx, State next) {
    state = State.TLS_HANDSHAKE;
    afterTls = next;
    SslHandler handler = tls.newHandler(ctx.alloc());
    // xrdp waits for ever for a handshake; whoever connects has a deadline of his own.
    handler.setHandshakeTimeoutMillis(0);
    ViewerPipelines.addTls(ctx.pipeline(), handler);
  }

  private void handshakeFailed(ChannelHandlerContext ctx, Throwable cause) {
    state = State.ENDED;
    ChannelHandlerContext below = ctx.pipeline().context(SslHandler.class);
    if (below == null) {
      return;
    }
    if (cause instanceof NotSslRecordException) {
      Outgoing.send(below, Unpooled.wrappedBuffer(TLS_ALERT));
    }
    // In the clear, below TLS: xrdp does so, and a client must survive it.
    Outgoing.send(below, RdpPdus.ultimatum());
  }

  private void connect(ChannelHandlerContext ctx, ByteBuf in) {
    McsConnect connect = McsConnect.read(in);
    client = connect;
    state = State.MCS_DOMAIN;
    Outgoing.send(ctx, RdpPdus.connectResponse(offered, connect.channels()));
  }

  private void domain(ChannelHandlerContext ctx, ByteBuf in) {
    McsConnect connect = client;
    if (connect == null) {
      throw new IllegalStateException("no MCS domain before Connect-Initial");
    }
    switch (in.readUnsignedByte() & CHOICE_MASK) {
      case ERECT_DOMAIN -> {}
      case ATTACH_USER -> Outgoing.send(ctx, RdpPdus.attachUserConfirm(initiator(connect)));
      case CHANNEL_JOIN -> join(ctx, connect, in);
      case SEND_DATA -> data(ctx, connect, in);
      case DISCONNECT -> end(ctx);
      default -> end(ctx);
    }
  }

  private void join(ChannelHandlerContext ctx, McsConnect connect, ByteBuf in) {
    int initiator = in.readUnsignedShort();
    int channel = in.readUnsignedShort();
    // The I/O channel, the static ones and, behind them, the user's own are in one row.
    int last = RdpPdus.USER_CHANNEL_BASE + initiator(connect);
    if (channel < RdpPdus.IO_CHANNEL || channel > last) {
      Outgoing.send(ctx, RdpPdus.channelJoinRefusal(initiator, channel));
      return;
    }
    joined.add(channel);
    Outgoing.send(ctx, RdpPdus.channelJoinConfirm(initiator, channel));
  }

  private void data(ChannelHandlerContext ctx, McsConnect connect, ByteBuf in) {
    if (state == State.ACTIVE) {
      return;
    }
    in.skipBytes(5);
    int length = McsConnect.perLength(in);
    ByteBuf body = in.readSlice(length);
    boolean info = (body.readUnsignedShortLE() & CLIENT_INFO) != 0;
    int flags = body.skipBytes(6).readIntLE();
    boolean allJoined = joined.size() == connect.channels() + 2;
    if (!info || !allJoined || (flags & INFO_FLAGS_NEEDED) != INFO_FLAGS_NEEDED) {
      end(ctx);
      return;
    }
    state = State.ACTIVE;
    int initiator = initiator(connect);
    Outgoing.send(ctx, RdpPdus.validClient(initiator));
    Outgoing.send(ctx, RdpPdus.demandActive(initiator, connect.width(), connect.height()));
  }

  private void credSsp(ChannelHandlerContext ctx, ByteBuf request) {
    if (CredSsp.isNegotiate(request)) {
      Outgoing.send(ctx, CredSsp.challenge(ThreadLocalRandom.current(), Instant.now()));
    } else {
      // AUTHENTICATE, of an account that nobody has.
      state = State.ENDED;
      Outgoing.close(ctx);
    }
  }

  private void end(ChannelHandlerContext ctx) {
    state = State.ENDED;
    Outgoing.sendAndClose(ctx, RdpPdus.ultimatum());
  }

  private static int initiator(McsConnect connect) {
    return RdpPdus.IO_CHANNEL + connect.channels() + 1 - RdpPdus.USER_CHANNEL_BASE;
  }

  private static ByteBuf data(ByteBuf frame) {
    for (byte expected : DATA_HEADER) {
      if (frame.readByte() != expected) {
        throw new IllegalArgumentException("not an X.224 data PDU");
      }
    }
    return frame;
  }
}
