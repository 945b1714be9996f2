// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Lets every answer out one byte at a time, with a pause before each. Sits next to the socket,
 * below TLS. One per connection, on its event loop. What has not dripped yet when the connection
 * ends is lost.
 */
final class DripHandler extends ChannelDuplexHandler {

  private record Pending(ByteBuf rest, ChannelPromise promise) {}

  private final long pauseNanos;
  private final Deque<Pending> queue = new ArrayDeque<>();
  private boolean dripping;
  private boolean ended;

  DripHandler(Duration every) {
    this.pauseNanos = every.toNanos();
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (ended) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
      return;
    }
    queue.add(new Pending((ByteBuf) message, promise));
    if (!dripping) {
      dripping = true;
      later(ctx);
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    // Each byte is flushed when its time has come.
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    drop();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    drop();
  }

  private void later(ChannelHandlerContext ctx) {
    var unused = ctx.executor().schedule(() -> drip(ctx), pauseNanos, TimeUnit.NANOSECONDS);
  }

  private void drip(ChannelHandlerContext ctx) {
    Pending next = queue.peek();
    if (next != null && next.rest().isReadable()) {
      var unused = ctx.writeAndFlush(next.rest().readRetainedSlice(1));
    }
    // Empty writes are done as soon as it is their turn.
    while (next != null && !next.rest().isReadable()) {
      queue.remove();
      next.rest().release();
      next.promise().trySuccess();
      next = queue.peek();
    }
    if (next != null) {
      later(ctx);
    } else {
      dripping = false;
    }
  }

  private void drop() {
    ended = true;
    for (Pending pending = queue.poll(); pending != null; pending = queue.poll()) {
      pending.rest().release();
      pending.promise().tryFailure(new ClosedChannelException());
    }
  }
}
