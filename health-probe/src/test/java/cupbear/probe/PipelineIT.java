// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ProbeResult.Refused;
import cupbear.probe.ProbeResult.TimedOut;
import cupbear.probe.ViewerReport.Part;
import cupbear.probe.bench.GoodViewer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rounds over real sockets: order, limits, cancelling, and whose fault it is. */
class PipelineIT {

  private static final Duration PLENTY = Duration.ofSeconds(40);
  private static final Deadlines GENEROUS =
      new Deadlines(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, Duration.ofMillis(500));
  private static final ProbeSettings SETTINGS = settings(GENEROUS);

  private static GoodViewer good;

  @BeforeAll
  static void start() throws IOException {
    good = new GoodViewer();
  }

  @AfterAll
  static void stop() {
    good.close();
  }

  @Test
  void asksGuacdThenItsPluginThenRdp() throws Exception {
    try (ProbePipeline pipeline = new ProbePipeline(TargetGuard.loopback(), SETTINGS)) {
      ViewerReport report = report(pipeline.probe(viewer("a"), ProbePlan.FIRST));
      assertThat(report.answers())
          .extracting(ViewerReport.Answer::part)
          .containsExactly(Part.GUACD, Part.PLUGIN, Part.RDP);
      assertThat(report.healthy()).isTrue();
      assertThat(report.verdict().result())
          .isEqualTo(new ProbeResult.Ready(Depth.LOGIN, Selected.TLS, "TLSv1.3"));
      assertThat(report.of(Part.RDP).orElseThrow().steps())
          .extracting(StepTime::step)
          .containsExactly(
              ProbeStep.CONNECT,
              ProbeStep.X224,
              ProbeStep.TLS,
              ProbeStep.MCS,
              ProbeStep.ATTACH,
              ProbeStep.JOIN_USER,
              ProbeStep.JOIN_IO,
              ProbeStep.LOGIN,
              ProbeStep.DEMAND);
    }
  }

  @Test
  void aFailureSparesTheRestUnlessSomebodyInquires() throws Exception {
    int closed = FaultyServer.closedPort().getPort();
    ProbeTarget target = new ProbeTarget("a", "127.0.0.1", closed, good.rdp().getPort());
    try (ProbePipeline pipeline = new ProbePipeline(TargetGuard.loopback(), SETTINGS)) {
      ViewerRun run = pipeline.probe(target, ProbePlan.GUACD_THEN_RDP);
      assertThat(report(run).answers()).hasSize(1);
      assertThat(report(run).verdict().result()).isEqualTo(new Refused());
      awaitClosed(run);
      ViewerReport inquiry = report(pipeline.probe(target, ProbePlan.INQUIRY));
      assertThat(inquiry.answers()).hasSize(3);
      assertThat(inquiry.of(Part.RDP).orElseThrow().healthy()).isTrue();
      assertThat(inquiry.verdict().result()).isEqualTo(new Refused());
    }
  }

  @Test
  void aMachineHasOneRoundInFlight() throws Exception {
    try (FaultyServer silent = FaultyServer.start(FaultyServer.Connection::silence);
        ProbePipeline pipeline = new ProbePipeline(TargetGuard.loopback(), SETTINGS)) {
      ViewerRun first = pipeline.probe(at("a", silent.address()), ProbePlan.GUACD);
      ViewerRun second = pipeline.probe(at("a", silent.address()), ProbePlan.GUACD);
      assertThat(cause(second)).isEqualTo(Cause.BUSY);
      assertThat(first.report().toCompletableFuture()).isNotDone();
      first.cancel();
      assertThat(cause(first)).isEqualTo(Cause.CANCELLED);
      awaitClosed(first);
      assertThat(report(pipeline.probe(viewer("a"), ProbePlan.GUACD)).healthy()).isTrue();
    }
  }

  @Test
  void beyondTheCapRoundsWaitAndBeyondTheQueueTheyAreDeclined() throws Exception {
    try (FaultyServer silent = FaultyServer.start(FaultyServer.Connection::silence);
        ProbePipeline pipeline =
            new ProbePipeline(TargetGuard.loopback(), SETTINGS.withLimits(2, 2))) {
      ViewerRun one = pipeline.probe(at("1", silent.address()), ProbePlan.GUACD);
      ViewerRun two = pipeline.probe(at("2", silent.address()), ProbePlan.GUACD);
      ViewerRun third = pipeline.probe(viewer("3"), ProbePlan.GUACD);
      ViewerRun fourth = pipeline.probe(viewer("4"), ProbePlan.GUACD);
      assertThat(cause(pipeline.probe(viewer("5"), ProbePlan.GUACD))).isEqualTo(Cause.OVERLOADED);
      assertThat(pipeline.inFlight()).isEqualTo(2);
      assertThat(pipeline.waiting()).isEqualTo(2);
      fourth.cancel();
      assertThat(cause(fourth)).as("cancelled while it waited").isEqualTo(Cause.CANCELLED);
      assertThat(third.report().toCompletableFuture()).isNotDone();
      one.cancel();
      assertThat(report(third).healthy()).isTrue();
      two.cancel();
      await().atMost(PLENTY).until(() -> pipeline.inFlight() == 0 && pipeline.waiting() == 0);
    }
  }

  @Test
  void hundredsOfMachinesGoThroughOneThreadAndNeverMoreAtOnceThanAllowed() throws Exception {
    int cap = 16;
    AtomicInteger most = new AtomicInteger();
    try (ProbePipeline pipeline =
        new ProbePipeline(TargetGuard.loopback(), SETTINGS.withLimits(cap, 1000))) {
      List<ViewerRun> runs = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        ViewerRun run = pipeline.probe(viewer("m" + i), ProbePlan.GUACD_THEN_RDP);
        run.report().thenRun(() -> most.accumulateAndGet(pipeline.inFlight(), Math::max));
        runs.add(run);
      }
      for (ViewerRun run : runs) assertThat(report(run).healthy()).isTrue();
    }
    assertThat(most.get()).isBetween(1, cap);
  }

  @Test
  void addressesThatAreNotAllowedAreNeverDialled() throws Exception {
    TargetGuard ours = TargetGuard.of(List.of("fdaa:0:18::/48"), Set.of(4822, 3389));
    try (ProbePipeline pipeline = new ProbePipeline(ours, SETTINGS)) {
      ViewerReport report = report(pipeline.probe(viewer("a"), ProbePlan.INQUIRY));
      assertThat(report.answers()).hasSize(1);
      assertThat(report.verdict().result().weight()).isEqualTo(Weight.NEVER);
      assertThat(report.verdict().result().sentence()).contains("outside the allowed prefixes");
    }
  }

  @Test
  void whoIsStuckHimselfBlamesNobody() throws Exception {
    Duration second = Duration.ofSeconds(1);
    Deadlines strict = new Deadlines(PLENTY, second, PLENTY, PLENTY, PLENTY, second);
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    FaultyServer.Behaviour silence =
        connection -> {
          connection.read(50);
          asked.countDown();
          connection.silence();
        };
    // Hangs up when the other is asked. By then its report has its callback: one that comes after
    // the report would hold the test's own thread, and the event loop would go on.
    FaultyServer.Behaviour hangUp = connection -> asked.await();
    try (FaultyServer silent = FaultyServer.start(silence);
        FaultyServer leaving = FaultyServer.start(hangUp);
        ProbePipeline pipeline = new ProbePipeline(TargetGuard.loopback(), settings(strict))) {
      ViewerRun blocker = pipeline.probe(at("b", leaving.address()), ProbePlan.GUACD);
      // Holds the one event loop for longer than two deadlines, as bad code in a callback would.
      blocker.report().thenRun(() -> hold(never, 2500));
      ViewerRun stuck = pipeline.probe(at("a", silent.address()), ProbePlan.GUACD);
      ProbeResult result = report(stuck).verdict().result();
      assertThat(result).isNotInstanceOf(TimedOut.class);
      assertThat(((ProberError) result).cause()).isEqualTo(Cause.LATE);
    }
  }

  @Test
  void closingEndsWhatIsUnderWayAndTakesNothingNew() throws Exception {
    try (FaultyServer silent = FaultyServer.start(FaultyServer.Connection::silence)) {
      ProbePipeline pipeline =
          new ProbePipeline(TargetGuard.loopback(), SETTINGS.withLimits(1, 10));
      ViewerRun running = pipeline.probe(at("a", silent.address()), ProbePlan.GUACD);
      ViewerRun waiting = pipeline.probe(at("b", silent.address()), ProbePlan.GUACD);
      pipeline.close();
      assertThat(cause(running)).isEqualTo(Cause.CANCELLED);
      assertThat(cause(waiting)).isEqualTo(Cause.CANCELLED);
      assertThat(cause(pipeline.probe(viewer("c"), ProbePlan.GUACD))).isEqualTo(Cause.SHUT_DOWN);
      running.cancel();
    }
  }

  private static void hold(CountDownLatch never, long millis) {
    try {
      assertThat(never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ProbeSettings settings(Deadlines deadlines) {
    return ProbeSettings.standard()
        .withGuacd(GuacdSettings.standard().withDeadlines(deadlines))
        .withRdp(RdpSettings.standard().withDeadlines(deadlines));
  }

  private static ProbeTarget viewer(String machine) {
    return new ProbeTarget(machine, "127.0.0.1", good.guacd().getPort(), good.rdp().getPort());
  }

  private static ProbeTarget at(String machine, InetSocketAddress both) {
    return new ProbeTarget(machine, "127.0.0.1", both.getPort(), both.getPort());
  }

  private static ViewerReport report(ViewerRun run) throws Exception {
    return run.report().toCompletableFuture().get(2 * PLENTY.toSeconds(), TimeUnit.SECONDS);
  }

  private static void awaitClosed(ViewerRun run) throws Exception {
    run.closed().toCompletableFuture().get(PLENTY.toSeconds(), TimeUnit.SECONDS);
  }

  private static Cause cause(ViewerRun run) throws Exception {
    return ((ProberError) report(run).verdict().result()).cause();
  }
}
