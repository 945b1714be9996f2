// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ProbeResult.ProtocolError;
import cupbear.probe.ProbeResult.Refused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a {@link Conversation} on a socket, within its deadlines, and comes to exactly one
 * verdict: the first. One per connection; everything but {@link #cancel()} and the stages happens
 * on the connection's event loop.
 */
final class ProbeHandler extends ChannelInboundHandlerAdapter implements ProbeRun {

  /** More plaintext than this is no handshake; a server that keeps talking is cut off. */
  private static final int HEARD_MAX = 4 * Framing.FRAME_MAX;

  private final EventLoop loop;
  private final Conversation talk;
  private final Deadlines deadlines;
  private final TlsClient tls;
  private final StepClock clock;
  private final CompletableFuture<ProbeReport> report = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private Framing framing;
  private @Nullable ChannelHandlerContext ctx;
  private @Nullable ByteBuf unread;
  private int heard;
  private boolean concluded;

  ProbeHandler(EventLoop loop, Conversation talk, Deadlines deadlines, TlsClient tls) {
    this.loop = loop;
    this.talk = talk;
    this.deadlines = deadlines;
    this.tls = tls;
    this.framing = talk.framing();
    this.clock = new StepClock(loop, deadlines, this::late);
  }

  @Override
  public CompletionStage<ProbeReport> report() {
    return report.minimalCompletionStage();
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }

  @Override
  public void cancel() {
    loop.execute(() -> conclude(new ProberError(Cause.CANCELLED, ""), talk.goodbye()));
  }

  /** To be called, on the loop, when the connect is handed over. */
  void connecting(ChannelFuture connect) {
    clock.enter(ProbeStep.CONNECT);
    connect.addListener(done -> {
      if (!done.isSuccess()) connectFailed(done.cause());
    });
    connect.channel().closeFuture().addListener(done -> closed.complete(null));
  }

  private void connectFailed(Throwable cause) {
    conclude(ConnectFailure.classify(cause, deadlines.connect()), Unpooled.EMPTY_BUFFER);
    // A channel that could not even be made has no closing to wait for.
    closed.complete(null);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (concluded) {
      Parting.close(context);
      return;
    }
    // On loopback, TCP can connect a closed port to itself when the ports happen to be the same.
    if (context.channel().localAddress().equals(context.channel().remoteAddress())) {
      conclude(new Refused(), Unpooled.EMPTY_BUFFER);
      return;
    }
    perform(talk.begin());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (!concluded && message instanceof ByteBuf octets) hear(octets);
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void hear(ByteBuf octets) {
    heard += octets.readableBytes();
    if (unread == null) unread = octets.alloc().buffer(octets.readableBytes());
    unread.writeBytes(octets);
    try {
      while (!concluded && clock.step() != ProbeStep.TLS && unread != null && unread.isReadable()) {
        int length = framing.length(unread);
        if (length > unread.readableBytes()) break;
        perform(talk.hear(unread.readSlice(length)));
      }
    } catch (Malformed e) {
      conclude(e.at(clock.step()), talk.goodbye());
    }
    if (concluded) return;
    if (heard > HEARD_MAX) {
      conclude(new ProtocolError(clock.step(), Fault.UNEXPECTED_PDU, 0), talk.goodbye());
    } else if (unread != null && !unread.isReadable()) {
      forget();
    }
  }

  private void perform(Move move) {
    switch (move) {
      case Move.Say say -> {
        clock.enter(say.step());
        write(say.octets());
      }
      case Move.Listen listen -> clock.enter(listen.step());
      case Move.StartTls start -> startTls(start.then());
      case Move.Conclude end -> conclude(end.result(), end.goodbye());
    }
  }

  private void startTls(Framing then) {
    ByteBuf tail = unread;
    if (tail != null && tail.isReadable()) {
      // Cleartext behind the confirm must never be taken for something said inside TLS.
      perform(talk.hear(tail));
      return;
    }
    framing = then;
    clock.enter(ProbeStep.TLS);
    context().pipeline().addFirst(tls.handler(context().alloc()));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!concluded && event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        SslHandler handler = context.pipeline().get(SslHandler.class);
        clock.leave();
        perform(talk.secured(handler.engine().getSession().getProtocol()));
      } else {
        conclude(TlsClient.classify(handshake.cause()), Unpooled.EMPTY_BUFFER);
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    conclude(talk.ended(clock.step(), Closed.How.FIN, insideFrame()), Unpooled.EMPTY_BUFFER);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (concluded) {
      Parting.close(context);
      return;
    }
    boolean record = cause instanceof DecoderException && cause.getCause() instanceof SSLException;
    if (record || cause instanceof SSLException || clock.step() == ProbeStep.TLS) {
      conclude(TlsClient.classify(cause), Unpooled.EMPTY_BUFFER);
    } else if (cause instanceof IOException) {
      conclude(talk.ended(clock.step(), Closed.How.RST, insideFrame()), Unpooled.EMPTY_BUFFER);
    } else {
      conclude(
          new ProberError(Cause.INTERNAL, cause.getClass().getSimpleName()), Unpooled.EMPTY_BUFFER);
    }
  }

  private boolean insideFrame() {
    return unread != null && unread.isReadable();
  }

  /** The clock's word that a deadline has passed. */
  private void late(StepClock.Late late) {
    conclude(late.oursBy().isPositive() ? overloaded(late) : timedOut(late), talk.goodbye());
  }

  private static ProbeResult overloaded(StepClock.Late late) {
    return new ProberError(Cause.LATE, late.oursBy().toMillis() + " ms late");
  }

  private ProbeResult timedOut(StepClock.Late late) {
    int seen = unread == null ? 0 : unread.readableBytes();
    return new ProbeResult.TimedOut(late.step(), seen, wanted(), late.limit());
  }

  private int wanted() {
    if (clock.step() == ProbeStep.CONNECT || clock.step() == ProbeStep.TLS) return 0;
    ByteBuf none = context().alloc().buffer(0);
    try {
      return framing.length(unread == null ? none : unread);
    } catch (Malformed e) {
      return 0;
    } finally {
      none.release();
    }
  }

  private void conclude(ProbeResult result, ByteBuf goodbye) {
    if (concluded) return;
    concluded = true;
    forget();
    ProbeReport ended = clock.stop(result);
    part(result, goodbye);
    report.complete(ended);
  }

  /**
   * To those who answered well: goodbye, close_notify, half-close, read to the end. Closing with
   * unread input would reset the connection, and xrdp logs that at length. Others are just left.
   */
  private void part(ProbeResult result, ByteBuf goodbye) {
    ChannelHandlerContext context = ctx;
    if (context == null) return;
    if (!context.channel().isActive()) {
      Parting.close(context);
      return;
    }
    boolean politely =
        result.weight() == Weight.HEALTHY
            || (result instanceof ProberError error && error.cause() == Cause.CANCELLED);
    if (goodbye.isReadable()) write(goodbye);
    if (politely) Parting.politely(context, deadlines.drain());
    else Parting.close(context);
  }

  private void write(ByteBuf octets) {
    Parting.send(context(), octets);
  }

  private void forget() {
    if (unread != null) unread.release();
    unread = null;
  }

  private ChannelHandlerContext context() {
    ChannelHandlerContext context = ctx;
    if (context == null) throw new IllegalStateException("not on a channel yet");
    return context;
  }
}
