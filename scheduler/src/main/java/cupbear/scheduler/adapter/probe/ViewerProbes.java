// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import cupbear.probe.ProbePipeline;
import cupbear.probe.ProbePipeline.Manner;
import cupbear.probe.ProbePlan;
import cupbear.probe.ProbeResult;
import cupbear.probe.ProbeSettings;
import cupbear.probe.ProbeTarget;
import cupbear.probe.RdpProbe;
import cupbear.probe.RdpSettings;
import cupbear.probe.TargetGuard;
import cupbear.probe.ViewerReport;
import cupbear.probe.ViewerReport.Part;
import cupbear.probe.ViewerRun;
import cupbear.scheduler.config.PoolSettings;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Probes viewers over the network, on an event loop of its own, so that a storm of probes delays no
 * assignment. One round per Machine: who asks while another asks gets the same answer if it reaches
 * far enough, and the next round otherwise. Any thread; holds only what is under way.
 */
public final class ViewerProbes implements Probes, AutoCloseable {
  private final Reach reach;
  private final Function<PoolName, Optional<PoolSettings.Probes>> pools;
  private final ProbePipeline pipeline;
  private final RdpSettings usual;
  private final Map<RdpSettings, RdpProbe> rdp = new ConcurrentHashMap<>();
  private final Map<MachineId, Round> underWay = new ConcurrentHashMap<>();

  /**
   * @param pools how a pool's viewers are asked; asked anew each time, as settings change
   */
  public ViewerProbes(Reach reach, Function<PoolName, Optional<PoolSettings.Probes>> pools) {
    this(reach, pools, ProbeSettings.standard());
  }

  ViewerProbes(
      Reach reach,
      Function<PoolName, Optional<PoolSettings.Probes>> pools,
      ProbeSettings settings) {
    this.reach = reach;
    this.pools = pools;
    this.usual = settings.rdp();
    // Every dial brings the guard of its pool; without one nothing may be dialled.
    this.pipeline = new ProbePipeline(TargetGuard.of(List.of(), Set.of()), settings);
  }

  /** A round that was asked for; over when its sockets are closed, somewhat after its answer. */
  private record Round(
      String address, Depth depth, CompletableFuture<Answer> answer, CompletableFuture<Void> over) {

    boolean serves(String where, Depth wanted) {
      return !answer.isDone() && address.equals(where) && depth.compareTo(wanted) >= 0;
    }
  }

  @Override
  public Future<Answer> probe(PoolName pool, MachineId machine, String address, Depth depth) {
    Context caller = Vertx.currentContext();
    CompletionStage<Answer> answer = ask(pool, machine, address, depth);
    return caller == null
        ? Future.fromCompletionStage(answer)
        : Future.fromCompletionStage(answer, caller);
  }

  private CompletionStage<Answer> ask(
      PoolName pool, MachineId machine, String address, Depth depth) {
    Round mine = new Round(address, depth, new CompletableFuture<>(), new CompletableFuture<>());
    Round other = underWay.putIfAbsent(machine, mine);
    if (other == null) {
      begin(mine, pool, machine);
      return mine.answer();
    }
    return other.serves(address, depth)
        ? other.answer()
        : other.over().thenCompose(any -> ask(pool, machine, address, depth));
  }

  @SuppressWarnings("IllegalCatch") // whatever breaks here says nothing about the Machine
  private void begin(Round round, PoolName pool, MachineId machine) {
    try {
      ViewerRun run = dial(round, pool, machine);
      run.report()
          .thenApply(report -> answer(report, round.depth()))
          .exceptionally(broken -> fault("this prober failed by itself: " + broken))
          .thenAccept(round.answer()::complete);
      // However it ended: a round that is never over would keep all later ones waiting.
      run.closed().whenComplete((any, broken) -> end(round, machine));
    } catch (RuntimeException broken) {
      String what = broken.getMessage() == null ? broken.toString() : broken.getMessage();
      round.answer().complete(fault("this prober failed by itself: " + what));
      end(round, machine);
    }
  }

  private void end(Round round, MachineId machine) {
    underWay.remove(machine, round);
    round.over().complete(null);
  }

  private ViewerRun dial(Round round, PoolName pool, MachineId machine) {
    PoolSettings.Probes asking =
        pools.apply(pool).orElseThrow(() -> new IllegalStateException("no pool is called " + pool));
    Reach.Place place =
        reach.place(
            machine, new Reach.Place(round.address(), asking.guacdPort(), asking.rdpPort()));
    RdpProbe how = rdp.computeIfAbsent(rdpSettings(asking), RdpProbe::new);
    return pipeline.probe(
        new ProbeTarget(machine.value(), place.address(), place.guacdPort(), place.rdpPort()),
        plan(round.depth()),
        new Manner(reach.guard(place), how));
  }

  private RdpSettings rdpSettings(PoolSettings.Probes asking) {
    cupbear.probe.Depth depth =
        switch (asking.depth()) {
          case NEGOTIATE -> cupbear.probe.Depth.NEGOTIATE;
          case TLS -> cupbear.probe.Depth.TLS;
          case LOGIN -> cupbear.probe.Depth.LOGIN;
        };
    return usual.withDepth(depth).withChallenge(asking.credssp());
  }

  private static ProbePlan plan(Depth depth) {
    return switch (depth) {
      case GUACD -> ProbePlan.GUACD;
      case FULL -> ProbePlan.GUACD_THEN_RDP;
      case FIRST -> ProbePlan.FIRST;
    };
  }

  // ---- what came of it

  /** One that ended before RDP was reached has told of guacd alone. */
  static Answer answer(ViewerReport report, Depth asked) {
    ViewerReport.Answer decisive = report.decisive();
    ProbeResult result = decisive.report().result();
    Verdict verdict =
        switch (result.weight()) {
          case HEALTHY -> Verdict.HEALTHY;
          case STRIKE -> Verdict.STRIKE;
          case ALERT -> Verdict.MISCONFIGURED;
          case NEVER -> Verdict.PROBER_FAULT;
        };
    Depth reached = report.of(Part.RDP).isPresent() ? asked : Depth.GUACD;
    return new Answer(
        verdict, reached, "%s: %s".formatted(decisive.part().word(), result.sentence()));
  }

  private static Answer fault(String why) {
    return new Answer(Verdict.PROBER_FAULT, Depth.GUACD, why);
  }

  /** Rounds under way now; those that wait for a place are not. */
  public int inFlight() {
    return pipeline.inFlight();
  }

  /** Ends what is under way as the prober's fault. Blocks for a moment; not for event loops. */
  @Override
  public void close() {
    pipeline.close();
  }
}
