// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Address;
import cupbear.flysim.viewer.ViewerPipelines.Service;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The two server sockets of one Machine: open, closed, or on the way there. Used on the Machine's
 * event loop only.
 */
final class ListeningSockets {

  // Room for a burst of probes; a real xrdp has 2, and a thousand tests would trip over that.
  private static final int BACKLOG = 16;

  // A port just closed stays taken until the selector's next round; a former client of the same
  // port may need a moment longer.
  private static final int BIND_ATTEMPTS = 40;
  private static final Duration BIND_PAUSE = Duration.ofMillis(25);

  // Anything later than now runs after the selector's next round, which lets go of closed ports.
  private static final Duration SETTLE = Duration.ofMillis(1);

  private final EventLoop loop;
  private final Address address;
  private final BiConsumer<Channel, Service> accepted;
  private final List<Channel> open = new ArrayList<>();
  private int round;

  ListeningSockets(EventLoop loop, Address address, BiConsumer<Channel, Service> accepted) {
    this.loop = loop;
    this.address = address;
    this.accepted = accepted;
  }

  /** Listens on both ports; at once true when it does already. */
  Future<Void> open() {
    if (!open.isEmpty()) {
      return Future.succeededFuture();
    }
    round++;
    Future<Void> both =
        Future.all(bind(Service.GUACD, address.guacdPort()), bind(Service.RDP, address.rdpPort()))
            .mapEmpty();
    // A start that failed leaves nothing open: whoever hears of it may count on that.
    return both.recover(e -> close().compose(closed -> Future.failedFuture(e)));
  }

  /** Completes when connections are refused. */
  Future<Void> close() {
    round++;
    Promise<Void> refused = Promise.promise();
    if (open.isEmpty()) {
      refused.complete();
      return refused.future();
    }
    open.forEach(Outgoing::close);
    open.clear();
    later(SETTLE, refused::complete);
    return refused.future();
  }

  private Future<Void> bind(Service service, int port) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            // Both groups are this one loop: all of a Machine happens on one thread.
            .group(loop, loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.accept(channel, service);
                  }
                });
    Promise<Void> bound = Promise.promise();
    attempt(bootstrap, port, BIND_ATTEMPTS, bound);
    return bound.future();
  }

  private void attempt(ServerBootstrap bootstrap, int port, int left, Promise<Void> bound) {
    int mine = round;
    ChannelFuture binding = bootstrap.bind(address.host(), port);
    Channel channel = binding.channel();
    open.add(channel);
    var unused =
        binding.addListener(done -> {
          if (done.isSuccess() || mine != round) {
            // Closed meanwhile: whoever closed it wanted no socket, so nothing has failed.
            bound.complete();
            return;
          }
          open.remove(channel);
          if (left > 1) {
            later(BIND_PAUSE, () -> retry(bootstrap, port, left - 1, bound, mine));
          } else {
            bound.fail(cannotListen(port, done.cause()));
          }
        });
  }

  private void retry(ServerBootstrap bootstrap, int port, int left, Promise<Void> bound, int mine) {
    if (mine == round) {
      attempt(bootstrap, port, left, bound);
    } else {
      bound.complete();
    }
  }

  private void later(Duration pause, Runnable what) {
    var unused = loop.schedule(what, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private IllegalStateException cannotListen(int port, Throwable cause) {
    return new IllegalStateException(
        "cannot listen on %s:%d (%s); end what listens there, or choose other ports"
            .formatted(address.host(), port, cause.getMessage()),
        cause);
  }
}
