// SPDX-License-Identifier: Apache-2.0
package cupbear.probe.bench;

import com.sun.management.ThreadMXBean;
import cupbear.probe.Deadlines;
import cupbear.probe.GuacdProbe;
import cupbear.probe.GuacdSettings;
import cupbear.probe.ProbeReport;
import cupbear.probe.ProbeRun;
import cupbear.probe.RdpProbe;
import cupbear.probe.RdpSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What probes cost on one thread, next to bare TCP connects made the same way in the same run:
 * times differ from machine to machine, ratios much less. Rounds of the three kinds take turns, and
 * the middle round of each kind is the answer. The answering side is a {@link GoodViewer} in this
 * process, on a thread of its own; with fewer than two free cores the two slow each other down.
 */
public final class ProbeBench implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;
  private static final int HELD_PROBES = 100;

  // On a busy machine a probe may be slow; that is measured here, not punished.
  private static final Duration PLENTY = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final Deadlines GENEROUS =
      new Deadlines(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, Duration.ofMillis(500));

  /** What is done many times. */
  public enum Kind {
    /** TCP connect and close: what a load balancer's check does. */
    CONNECT,
    GUACD,
    RDP
  }

  /**
   * The middle round of a kind.
   *
   * @param perSecond by the clock
   * @param cpuMicros of the probing thread, each
   * @param allocatedBytes on the probing thread, each; garbage, most of it
   */
  public record Cost(double perSecond, double cpuMicros, long allocatedBytes) {}

  /**
   * All of it.
   *
   * @param guacdToConnect the time of one guacd probe in bare connects
   * @param rdpToConnect the time of one RDP probe in bare connects
   * @param heldBytes the heap that one RDP probe holds while it waits for its server
   * @param machinesPerCore how many warm Machines one core could probe, guacd every 5 s and RDP
   *     every 15 s, if it did nothing else
   */
  public record Result(
      int rounds,
      int perRound,
      int inFlight,
      Cost connect,
      Cost guacd,
      Cost rdp,
      double guacdToConnect,
      double rdpToConnect,
      long heldBytes,
      long machinesPerCore) {}

  private final GoodViewer viewer;
  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("probe-bench", true), NioIoHandler.newFactory());
  private final EventLoop loop = group.next();
  private final GuacdProbe guacd = new GuacdProbe(GuacdSettings.standard().withDeadlines(GENEROUS));
  private final RdpProbe rdp = new RdpProbe(RdpSettings.standard().withDeadlines(GENEROUS));

  public ProbeBench() throws IOException {
    viewer = new GoodViewer();
  }

  /**
   * Measures.
   *
   * @param rounds of each kind; the first is thrown away besides
   * @param perRound how many in one round
   * @param inFlight how many of them at once
   */
  public Result run(int rounds, int perRound, int inFlight) {
    Map<Kind, List<Cost>> costs = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      costs.put(kind, new ArrayList<>());
      round(kind, perRound, inFlight);
    }
    for (int i = 0; i < rounds; i++) {
      costs.forEach((kind, all) -> all.add(round(kind, perRound, inFlight)));
    }
    Cost connect = middle(costs.getOrDefault(Kind.CONNECT, List.of()));
    Cost ofGuacd = middle(costs.getOrDefault(Kind.GUACD, List.of()));
    Cost ofRdp = middle(costs.getOrDefault(Kind.RDP, List.of()));
    double cpuPerSecond = ofGuacd.cpuMicros / 5 + ofRdp.cpuMicros / 15;
    return new Result(
        rounds,
        perRound,
        inFlight,
        connect,
        ofGuacd,
        ofRdp,
        connect.perSecond / ofGuacd.perSecond,
        connect.perSecond / ofRdp.perSecond,
        held(),
        Math.round(1_000_000 / cpuPerSecond));
  }

  private static Cost middle(List<Cost> costs) {
    return costs.stream()
        .sorted((a, b) -> Double.compare(a.perSecond, b.perSecond))
        .toList()
        .get(costs.size() / 2);
  }

  private Cost round(Kind kind, int count, int inFlight) {
    Supplier<CompletableFuture<Void>> one =
        switch (kind) {
          case CONNECT -> this::connect;
          case GUACD -> () -> probe(guacd.start(loop, viewer.guacd()));
          case RDP -> () -> probe(rdp.start(loop, viewer.rdp()));
        };
    long[] before = thread();
    long began = System.nanoTime();
    await(new Lanes(one, count).start(inFlight));
    double seconds = (System.nanoTime() - began) / 1e9;
    long[] after = thread();
    double cpuMicros = (after[0] - before[0]) / 1e3 / count;
    return new Cost(count / seconds, cpuMicros, (after[1] - before[1]) / count);
  }

  /** CPU nanoseconds and allocated octets of the probing thread. */
  private long[] thread() {
    CompletableFuture<long[]> answer = new CompletableFuture<>();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    loop.execute(() ->
        answer.complete(
            new long[] {
              threads.getCurrentThreadCpuTime(), threads.getCurrentThreadAllocatedBytes()
            }));
    return await(answer);
  }

  private static CompletableFuture<Void> probe(ProbeRun run) {
    return run.report()
        .thenCombine(run.closed(), (report, closed) -> check(report))
        .toCompletableFuture();
  }

  private static Void check(ProbeReport report) {
    if (!report.healthy()) {
      throw new IllegalStateException(
          "the benchmark's own viewer was found not ready ("
              + report.result().sentence()
              + "); try with less in flight");
    }
    return null;
  }

  private CompletableFuture<Void> connect() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    ChannelFuture connect =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelActive(ChannelHandlerContext context) {
                    var unused = context.close();
                  }
                })
            .connect(viewer.rdp());
    connect.addListener(done -> {
      if (!done.isSuccess()) closed.completeExceptionally(done.cause());
    });
    connect.channel().closeFuture().addListener(done -> closed.complete(null));
    return closed;
  }

  /** Heap that probes hold while a server keeps them waiting, each; what is shared is left out. */
  private long held() {
    try (SilentServer silent = new SilentServer()) {
      List<ProbeRun> runs = new ArrayList<>();
      runs.add(waiting(silent.address()));
      await(silent.accepted(1));
      long before = heap();
      for (int i = 0; i < HELD_PROBES; i++) runs.add(waiting(silent.address()));
      await(silent.accepted(1 + HELD_PROBES));
      long after = heap();
      runs.forEach(ProbeRun::cancel);
      runs.forEach(run -> await(run.closed().toCompletableFuture()));
      return Math.max(0, (after - before) / HELD_PROBES);
    } catch (IOException e) {
      throw new IllegalStateException("cannot listen on loopback", e);
    }
  }

  private ProbeRun waiting(InetSocketAddress silent) {
    return rdp.start(loop, silent);
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static <T> T await(CompletableFuture<T> what) {
    return what.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(4, TimeUnit.SECONDS);
    viewer.close();
  }
}
