// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Address;
import cupbear.flysim.Viewers.ExecResult;
import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.viewer.ViewerPipelines.Service;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Machine as seen from outside and inside: its sockets, how they answer, who is connected,
 * users and files. All state belongs to one event loop; the methods may be called from any thread
 * and take effect in the order of the calls.
 */
final class Viewer {

  private static final Logger LOG = LoggerFactory.getLogger(Viewer.class);

  private final EventLoop loop;
  private final Address address;
  private final ViewerPipelines pipelines;
  private final ListeningSockets sockets;
  private final GuestSystem guest = new GuestSystem();
  private final GuestSessions sessions = new GuestSessions(guest);
  private final GuestShell shell = new GuestShell(guest, sessions::end);

  private @Nullable Mode chosen;
  private @Nullable Launch launch;
  private @Nullable ScheduledFuture<?> boot;

  Viewer(EventLoop loop, Address address, ViewerPipelines pipelines) {
    this.loop = loop;
    this.address = address;
    this.pipelines = pipelines;
    this.sockets = new ListeningSockets(loop, address, this::accepted);
  }

  Address address() {
    return address;
  }

  Answered answered() {
    return sessions.answered();
  }

  Future<Void> start(Launch how) {
    return onLoop(() -> {
      cancelBoot();
      sessions.nothingAnswered();
      launch = how;
      if (!how.readyAfter().isPositive()) {
        return arrange();
      }
      boot = loop.schedule(this::booted, how.readyAfter().toNanos(), TimeUnit.NANOSECONDS);
      return shut();
    });
  }

  Future<Void> pause() {
    return onLoop(this::down);
  }

  Future<Void> stop() {
    return onLoop(() -> {
      guest.wipe();
      return down();
    });
  }

  /** A boot under way goes on: the mode is how the services behave once they are up. */
  Future<Void> mode(Mode mode) {
    return onLoop(() -> {
      chosen = mode;
      return launch == null || boot != null ? Future.succeededFuture() : arrange();
    });
  }

  Future<ExecResult> exec(List<String> command, String stdin) {
    return onLoop(() ->
        launch == null
            ? Future.failedFuture("this Machine is not started; start it, then exec")
            : Future.succeededFuture(shell.run(command, stdin)));
  }

  private void booted() {
    boot = null;
    arrange().onFailure(e -> LOG.warn("a simulated Machine cannot listen on {}", address, e));
  }

  /** Makes sockets and connections what the mode says. */
  private Future<Void> arrange() {
    return switch (mode()) {
      case READY, DRIP, GARBAGE -> {
        sessions.end();
        yield sockets.open();
      }
      case HANG -> {
        sessions.all().forEach(ViewerPipelines::freeze);
        yield sockets.open();
      }
      case BOOTING -> shut();
      case CRASHED -> {
        // What a kernel sends for a dead process with unread input.
        sessions.all().forEach(channel -> channel.config().setOption(ChannelOption.SO_LINGER, 0));
        yield shut();
      }
    };
  }

  private Future<Void> down() {
    cancelBoot();
    launch = null;
    return shut();
  }

  private Future<Void> shut() {
    Future<Void> refused = sockets.close();
    sessions.end();
    return refused;
  }

  private void accepted(Channel channel, Service service) {
    sessions.add(channel);
    pipelines.install(channel, service, mode(), sessions);
  }

  private Mode mode() {
    if (launch == null) {
      return Mode.BOOTING;
    }
    return chosen == null ? launch.mode() : chosen;
  }

  private void cancelBoot() {
    if (boot != null) {
      boot.cancel(false);
      boot = null;
    }
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    try {
      loop.execute(() -> action.get().onComplete(promise));
    } catch (RejectedExecutionException closed) {
      return Future.failedFuture("the viewers are closed; make new ones");
    }
    return promise.future();
  }
}
