// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ViewerReport.Part;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Probes viewers: guacd, then RDP. One round in flight per Machine, a bounded number over all, the
 * others wait their turn. On an event-loop group of its own, so that a probe storm delays nothing
 * else. Every way to fail on our side is a {@link ProberError}, never something to hold against a
 * Machine. Any thread may call; what is in flight is cut short when it is closed.
 */
public final class ProbePipeline implements AutoCloseable {

  private static final long GOODBYES_MS = 1_000;
  private static final long SHUTDOWN_MS = 2_000;

  /**
   * What may differ from one kind of viewer to another while they share a pipeline.
   *
   * @param guard which addresses and ports may be dialled
   * @param rdp how far to go; costly to make, so keep it
   */
  public record Manner(TargetGuard guard, RdpProbe rdp) {}

  private final ProbeSettings settings;
  private final GuacdProbe guacd;
  private final Manner usual;
  private final MultiThreadIoEventLoopGroup group;

  /** Guards the four below. */
  private final Object lock = new Object();

  private final Map<String, ViewerRun> runs = new HashMap<>();
  private final LinkedHashSet<ViewerRun> waiting = new LinkedHashSet<>();
  private int inFlight;
  private boolean open = true;

  private enum Admission {
    BEGIN,
    WAIT,
    BUSY,
    OVERLOADED,
    SHUT_DOWN
  }

  public ProbePipeline(TargetGuard guard, ProbeSettings settings) {
    this.settings = settings;
    this.guacd = new GuacdProbe(settings.guacd());
    this.usual = new Manner(guard, new RdpProbe(settings.rdp()));
    this.group =
        new MultiThreadIoEventLoopGroup(
            settings.threads(), new DefaultThreadFactory("probe", true), NioIoHandler.newFactory());
  }

  /** Begins a round, at once or when it is its turn. */
  public ViewerRun probe(ProbeTarget target, ProbePlan plan) {
    return probe(target, plan, usual);
  }

  /** The same for a viewer that wants other manners. */
  public ViewerRun probe(ProbeTarget target, ProbePlan plan, Manner manner) {
    String machine = target.machine();
    ViewerRun run =
        new ViewerRun(plan, group.next(), (part, loop) -> dial(target, part, loop, manner));
    switch (admit(machine, run)) {
      case BEGIN -> run.begin();
      // Its turn comes when another has ended.
      case WAIT -> {}
      case BUSY -> run.end(Cause.BUSY);
      case OVERLOADED -> run.end(Cause.OVERLOADED);
      case SHUT_DOWN -> run.end(Cause.SHUT_DOWN);
    }
    return run;
  }

  /** How many rounds are under way; those that wait are not. */
  public int inFlight() {
    synchronized (lock) {
      return inFlight;
    }
  }

  public int waiting() {
    synchronized (lock) {
      return waiting.size();
    }
  }

  private Admission admit(String machine, ViewerRun run) {
    synchronized (lock) {
      if (!open) return Admission.SHUT_DOWN;
      if (runs.containsKey(machine)) return Admission.BUSY;
      boolean full = inFlight == settings.inFlightMax();
      if (full && waiting.size() == settings.waitingMax()) return Admission.OVERLOADED;
      runs.put(machine, run);
      run.whenClosed(() -> settled(machine, run));
      if (full) waiting.add(run);
      else inFlight++;
      return full ? Admission.WAIT : Admission.BEGIN;
    }
  }

  private void settled(String machine, ViewerRun run) {
    ViewerRun next = null;
    synchronized (lock) {
      runs.remove(machine);
      // One that was cancelled while it waited never held a place.
      if (!waiting.remove(run)) inFlight--;
      if (open && !waiting.isEmpty() && inFlight < settings.inFlightMax()) {
        next = waiting.removeFirst();
        inFlight++;
      }
    }
    if (next != null) next.begin();
  }

  private ProbeRun dial(ProbeTarget target, Part part, EventLoop loop, Manner manner) {
    int port = part == Part.RDP ? target.rdpPort() : target.guacdPort();
    return switch (manner.guard().check(target.address(), port)) {
      case TargetGuard.Answer.Denied denied ->
          new EndedRun(new ProberError(Cause.NOT_ALLOWED, denied.sentence()));
      case TargetGuard.Answer.Allowed allowed ->
          switch (part) {
            case GUACD -> guacd.start(loop, allowed.address());
            case PLUGIN -> guacd.startPluginCheck(loop, allowed.address());
            case RDP -> manner.rdp().start(loop, allowed.address());
          };
    };
  }

  /** Takes its leave of every server it talks to, then stops. Blocks; not for event loops. */
  @Override
  public void close() {
    List<ViewerRun> left;
    synchronized (lock) {
      open = false;
      left = List.copyOf(runs.values());
    }
    left.forEach(ViewerRun::cancel);
    CompletableFuture<?>[] goodbyes =
        left.stream()
            .map(run -> run.closed().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(goodbyes)
        .completeOnTimeout(null, GOODBYES_MS, TimeUnit.MILLISECONDS)
        .join();
    group
        .shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(2 * SHUTDOWN_MS);
    left.forEach(run -> run.end(Cause.SHUT_DOWN));
  }

  /** What was over before it began. */
  private record EndedRun(ProbeResult result) implements ProbeRun {
    @Override
    public CompletionStage<ProbeReport> report() {
      return CompletableFuture.completedStage(ProbeReport.notBegun(result));
    }

    @Override
    public CompletionStage<Void> closed() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void cancel() {}
  }
}
