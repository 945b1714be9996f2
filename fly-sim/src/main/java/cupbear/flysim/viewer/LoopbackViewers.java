// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Machines that really listen: each has its own loopback address (or its own ports, see {@link
 * ViewerSettings.Addressing}) with a guacd and an RDP server on it. Two event loops carry them all;
 * a Machine costs two sockets and a few kilobytes. Any thread may call; nothing survives {@link
 * #close}.
 */
public final class LoopbackViewers implements Viewers {

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackViewers.class);

  // One for the handshakes, one so that a burst of them does not stop the rest.
  private static final int EVENT_LOOPS = 2;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

  private final AddressPlan plan;
  private final ViewerPipelines pipelines;
  private final MultiThreadIoEventLoopGroup loops;
  private final Map<String, Viewer> viewers = new ConcurrentHashMap<>();

  /** Claims a block of loopback addresses; throws when none is left, saying what to change. */
  public LoopbackViewers(ViewerSettings settings) {
    this.plan = new AddressPlan(settings);
    this.pipelines = new ViewerPipelines(settings);
    this.loops =
        new MultiThreadIoEventLoopGroup(
            EVENT_LOOPS, new DefaultThreadFactory("viewers", true), NioIoHandler.newFactory());
  }

  @Override
  public Optional<Address> reserve(String machineId) {
    @Nullable Viewer known = viewers.get(machineId);
    if (known != null) {
      return Optional.of(known.address());
    }
    Optional<Address> address = plan.take();
    if (address.isEmpty()) {
      LOG.warn("no loopback address is left for Machine {}: nothing listens there", machineId);
    }
    address.ifPresent(free -> viewers.put(machineId, new Viewer(loops.next(), free, pipelines)));
    return address;
  }

  @Override
  public Future<Void> start(String machineId, Launch launch) {
    Viewer viewer = viewers.get(machineId);
    return viewer == null
        ? Future.failedFuture("Machine " + machineId + " has no address; reserve one first")
        : viewer.start(launch);
  }

  @Override
  public Future<Void> pause(String machineId) {
    return ifKnown(machineId, Viewer::pause);
  }

  @Override
  public Future<Void> stop(String machineId) {
    return ifKnown(machineId, Viewer::stop);
  }

  @Override
  public Future<Void> release(String machineId) {
    Viewer viewer = viewers.remove(machineId);
    return viewer == null
        ? Future.succeededFuture()
        : viewer.stop().onSuccess(stopped -> plan.giveBack(viewer.address()));
  }

  @Override
  public Future<Void> mode(String machineId, Mode mode) {
    return ifKnown(machineId, viewer -> viewer.mode(mode));
  }

  @Override
  public Future<ExecResult> exec(String machineId, List<String> command, String stdin) {
    Viewer viewer = viewers.get(machineId);
    return viewer == null
        ? Future.failedFuture("Machine " + machineId + " is not here; reserve and start it first")
        : viewer.exec(command, stdin);
  }

  /** What this Machine answered since it was last started; empty when there is none such. */
  public Optional<Answered> answered(String machineId) {
    return Optional.ofNullable(viewers.get(machineId)).map(Viewer::answered);
  }

  @Override
  public void close() {
    // Queued before the loops end, so it still runs: what waits to be sent is given back.
    viewers.values().forEach(Viewer::stop);
    viewers.clear();
    boolean ended =
        loops
            .shutdownGracefully(0, CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
            .awaitUninterruptibly(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    plan.close();
    if (!ended) {
      LOG.warn("the viewers did not close within {}; sockets end with the process", CLOSE_WITHIN);
    }
  }

  private Future<Void> ifKnown(String machineId, Function<Viewer, Future<Void>> action) {
    Viewer viewer = viewers.get(machineId);
    return viewer == null ? Future.succeededFuture() : action.apply(viewer);
  }
}
