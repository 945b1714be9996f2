// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The guacd side of one connection, as guacd 1.6.0 was recorded: what it answers, what it leaves
 * unanswered, and when it hangs up. One per connection, on its event loop.
 *
 * <p>No RDP connection is opened behind it: after {@code ready} it judges the arguments (port,
 * credentials known to the guest) and draws one plain screen, enough for a gateway to show.
 */
final class GuacdResponder extends SimpleChannelInboundHandler<GuacInstruction> {

  /** guacd's own interval; a client gives up after 15 s without an instruction. */
  static final Duration KEEP_ALIVE = Duration.ofSeconds(5);

  private static final GuacInstruction NO_SUCH_CONNECTION =
      GuacInstruction.of("error", "No such connection.", 516);
  private static final GuacInstruction REFUSED =
      GuacInstruction.of("error", "Server refused connection (wrong security type?)", 519);
  private static final GuacInstruction UNAUTHORISED =
      GuacInstruction.of("error", "The credentials are not known on this Machine.", 769);
  private static final int SCREEN_WIDTH = 1024;
  private static final int SCREEN_HEIGHT = 768;
  private static final int ARROW = 64;

  private enum State {
    SELECT,
    HANDSHAKE,
    /** Connected, nothing drawn yet. */
    READY,
    OPEN,
    /** guacd's child is gone; the socket stays open and silent, as the real one does. */
    ORPHANED
  }

  private final GuestSessions sessions;
  private final ViewerSettings settings;
  private State state = State.SELECT;
  private String id = "";
  private boolean owner;
  private GuacInstruction size = GuacInstruction.of("size", SCREEN_WIDTH, SCREEN_HEIGHT, 96);
  private @Nullable ScheduledFuture<?> timer;

  GuacdResponder(GuestSessions sessions, ViewerSettings settings) {
    this.sessions = sessions;
    this.settings = settings;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    timer =
        ctx.executor()
            .schedule(
                () -> Outgoing.close(ctx),
                settings.guacdPatience().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /** The connection ended, or the Machine hangs from now on. */
  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stopTimer();
    if (owner) {
      sessions.guacIds().remove(id);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, GuacInstruction in) {
    switch (state) {
      case SELECT -> select(ctx, in);
      case HANDSHAKE -> handshake(ctx, in);
      case READY, OPEN -> session(ctx, in);
      case ORPHANED -> {}
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // Malformed input or a reset; guacd hangs up without a word on both.
    Outgoing.close(ctx);
  }

  private void select(ChannelHandlerContext ctx, GuacInstruction in) {
    if (!in.opcode().equals("select") || in.args().size() != 1) {
      Outgoing.close(ctx);
      return;
    }
    String wanted = in.args().get(0);
    if (wanted.startsWith("$")) {
      if (!sessions.guacIds().contains(wanted)) {
        sessions.guacdAnswered();
        Outgoing.sendAndClose(ctx, octets(ctx, NO_SUCH_CONNECTION));
        return;
      }
      id = wanted;
    } else if (!wanted.equals("rdp")) {
      orphan();
      return;
    }
    state = State.HANDSHAKE;
    send(ctx, GuacArguments.request());
  }

  private void handshake(ChannelHandlerContext ctx, GuacInstruction in) {
    if (in.opcode().equals("size") && in.args().size() >= 2) {
      size = in;
    } else if (in.opcode().equals("connect")) {
      connect(ctx, in);
    }
    // audio, video, image, timezone and name carry nothing that a blank screen depends on.
  }

  private void connect(ChannelHandlerContext ctx, GuacInstruction in) {
    if (id.isEmpty()) {
      id = "$" + UUID.randomUUID();
      owner = true;
    }
    // Sent before the arguments are even counted: "ready" proves nothing about RDP.
    send(ctx, GuacInstruction.of("ready", id));
    if (!GuacArguments.fit(in)) {
      orphan();
      return;
    }
    sessions.guacIds().add(id);
    stopTimer();
    timer =
        ctx.executor()
            .scheduleAtFixedRate(
                () -> send(ctx, GuacInstruction.of("nop")),
                KEEP_ALIVE.toMillis(),
                KEEP_ALIVE.toMillis(),
                TimeUnit.MILLISECONDS);
    state = State.READY;
    judge(ctx, GuacArguments.of(in));
  }

  private void judge(ChannelHandlerContext ctx, GuacArguments args) {
    String user = args.value("username");
    if (user.isEmpty() && settings.rdpSecurity() == RdpSecurity.NLA_ONLY) {
      send(ctx, GuacInstruction.of("required", "username", "domain", "password"));
      return;
    }
    long now = System.currentTimeMillis();
    send(ctx, GuacInstruction.of("cursor", 0, 0, -2, 0, 0, ARROW, ARROW));
    send(ctx, GuacInstruction.of("mouse", 0, 0, 0, now));
    send(ctx, GuacInstruction.of("sync", now, 0));
    if (!ownRdpPort(args.value("port"))) {
      Outgoing.sendAndClose(ctx, octets(ctx, REFUSED));
    } else if (!user.isEmpty() && !sessions.guest().accepts(user, args.value("password"))) {
      Outgoing.sendAndClose(ctx, octets(ctx, UNAUTHORISED));
    }
  }

  /** Inside the Machine RDP is on the well-known port, wherever this computer had to put it. */
  private boolean ownRdpPort(String port) {
    return port.isEmpty()
        || port.equals(String.valueOf(ViewerSettings.RDP_PORT))
        || port.equals(String.valueOf(settings.rdpPort()));
  }

  private void session(ChannelHandlerContext ctx, GuacInstruction in) {
    if (in.opcode().equals("disconnect")) {
      Outgoing.close(ctx);
    } else if (in.opcode().equals("sync") && state == State.READY) {
      state = State.OPEN;
      draw(ctx);
    }
    // A later sync is the client's receipt: answering each with a frame would never end.
  }

  private void draw(ChannelHandlerContext ctx) {
    String width = size.args().get(0);
    String height = size.args().get(1);
    send(ctx, GuacInstruction.of("size", 0, width, height));
    send(ctx, GuacInstruction.of("rect", 0, 0, 0, width, height));
    send(ctx, GuacInstruction.of("cfill", 14, 0, 0, 156, 181, 255));
    send(ctx, GuacInstruction.of("sync", System.currentTimeMillis(), 1));
  }

  private void orphan() {
    state = State.ORPHANED;
    stopTimer();
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private static void send(ChannelHandlerContext ctx, GuacInstruction out) {
    Outgoing.send(ctx, octets(ctx, out));
  }

  private static ByteBuf octets(ChannelHandlerContext ctx, GuacInstruction out) {
    return ByteBufUtil.writeUtf8(ctx.alloc(), out.text());
  }
}
