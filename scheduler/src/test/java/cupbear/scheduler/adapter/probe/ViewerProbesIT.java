// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import static cupbear.scheduler.adapter.SimulatedFly.POOL;
import static cupbear.scheduler.adapter.SimulatedFly.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.flysim.Viewers.Mode;
import cupbear.probe.Deadlines;
import cupbear.probe.GuacdSettings;
import cupbear.probe.ProbeSettings;
import cupbear.probe.RdpSettings;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.config.PoolSettings;
import cupbear.scheduler.config.Settings.Environment;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes.Answer;
import cupbear.scheduler.port.Probes.Depth;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The prober against simulated viewers that really listen. */
class ViewerProbesIT {
  private static final PoolName SHALLOW = new PoolName("shallow");
  private static final PoolName NOBODYS = new PoolName("nobodys");

  /** Where silence is waited for; long enough for an answer on a busy computer. */
  private static final Duration SHORT = Duration.ofMillis(400);

  private static SimulatedFly fly;
  private static ViewerProbes probes;
  private static ViewerProbes hasty;
  private static int names;

  @BeforeAll
  static void open() {
    fly = new SimulatedFly(config -> config);
    Reach here = Reach.loopback(Environment.DEMO, ViewerProbesIT::bySimulator);
    probes = new ViewerProbes(here, ViewerProbesIT::asking);
    Deadlines usual = Deadlines.standard();
    Deadlines brief =
        new Deadlines(usual.connect(), SHORT, SHORT, SHORT, usual.total(), usual.drain());
    hasty =
        new ViewerProbes(
            here,
            ViewerProbesIT::asking,
            ProbeSettings.standard()
                .withGuacd(GuacdSettings.standard().withDeadlines(brief))
                .withRdp(RdpSettings.standard().withDeadlines(brief)));
  }

  @AfterAll
  static void close() {
    hasty.close();
    probes.close();
    fly.close();
  }

  private static Optional<PoolSettings.Probes> asking(PoolName pool) {
    if (pool.equals(NOBODYS)) return Optional.empty();
    return Optional.of(
        Askings.with(
            pool.equals(SHALLOW) ? PoolSettings.Depth.NEGOTIATE : PoolSettings.Depth.LOGIN));
  }

  /** The simulator knows the ports where Machines cannot have addresses of their own. */
  private static Reach.Place bySimulator(MachineId machine, Reach.Place told) {
    JsonObject sim = fly.truth(machine.value()).getJsonObject("sim");
    return new Reach.Place(
        told.address(), sim.getInteger("guacd_port"), sim.getInteger("rdp_port"));
  }

  private record Viewer(MachineId id, String address) {}

  /** A Machine whose services are up. */
  private static Viewer viewer() {
    MachineConfig config = MachineConfig.of("registry.example/viewer:1").build();
    Machine made =
        get(fly.client
                .app(SimulatedFly.APP)
                .create(CreateMachine.of("viewer-" + ++names, "iad", config)))
            .machine();
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> fly.truth(made.id()).getJsonObject("sim").getBoolean("ready"));
    Viewer viewer = new Viewer(new MachineId(made.id()), made.privateIp());
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> ask(viewer, Depth.GUACD).verdict() == Verdict.HEALTHY);
    return viewer;
  }

  private static Viewer viewer(Mode mode) {
    Viewer viewer = viewer();
    get(fly.sim.faults().viewer(viewer.id().value(), mode));
    return viewer;
  }

  private static Answer ask(Viewer viewer, Depth depth) {
    return get(probes.probe(POOL, viewer.id(), viewer.address(), depth));
  }

  // ---- what viewers say

  @ParameterizedTest(name = "a healthy viewer, asked {0}")
  @EnumSource(Depth.class)
  void healthy(Depth depth) {
    Answer answer = ask(viewer(), depth);
    assertThat(answer.verdict()).isEqualTo(Verdict.HEALTHY);
    assertThat(answer.depth()).isEqualTo(depth);
    assertThat(answer.detail()).startsWith(depth == Depth.GUACD ? "guacd: " : "rdp: ");
  }

  @ParameterizedTest(name = "a viewer that is {0}: {1}")
  @CsvSource({
    "CRASHED, nothing listens",
    "BOOTING, nothing listens",
    "HANG, it accepts and says nothing",
    "GARBAGE, instead of"
  })
  void strikes(Mode mode, String words) {
    Viewer viewer = viewer(mode);
    Answer answer = get(hasty.probe(POOL, viewer.id(), viewer.address(), Depth.FIRST));
    assertThat(answer.verdict()).isEqualTo(Verdict.STRIKE);
    assertThat(answer.depth()).as("it did not get as far as RDP").isEqualTo(Depth.GUACD);
    assertThat(answer.detail()).startsWith("guacd: ").contains(words).doesNotContain("\n");
  }

  @Test
  @DisplayName("how far RDP is asked is the pool's own setting")
  void depthPerPool() {
    Viewer viewer = viewer();
    Answer deep = get(probes.probe(POOL, viewer.id(), viewer.address(), Depth.FULL));
    Answer shallow = get(probes.probe(SHALLOW, viewer.id(), viewer.address(), Depth.FULL));
    assertThat(deep.detail()).isEqualTo("rdp: RDP answered an empty login request");
    assertThat(shallow.detail()).isEqualTo("rdp: RDP negotiated");
  }

  // ---- who asks at the same time

  @Test
  @DisplayName("many who ask at once are all answered, one round after the other")
  void askedByMany() {
    Viewer viewer = viewer();
    List<Future<Answer>> answers = new ArrayList<>();
    for (Depth depth : Depth.values()) {
      for (int i = 0; i < 5; i++) {
        answers.add(probes.probe(POOL, viewer.id(), viewer.address(), depth));
      }
    }
    assertThat(answers)
        .allSatisfy(answer -> assertThat(get(answer).verdict()).isEqualTo(Verdict.HEALTHY));
  }

  @Test
  @DisplayName("who asks for less than is being asked gets the same answer")
  void sharedRound() {
    Viewer viewer = viewer(Mode.HANG);
    var first = hasty.probe(POOL, viewer.id(), viewer.address(), Depth.FULL);
    var second = hasty.probe(POOL, viewer.id(), viewer.address(), Depth.GUACD);
    assertThat(hasty.inFlight()).isEqualTo(1);
    assertThat(get(second)).isSameAs(get(first));
  }

  @Test
  @DisplayName("an answer comes back on the context of whoever asked")
  void backOnTheCallersContext() {
    Viewer viewer = viewer();
    Context context = fly.vertx.getOrCreateContext();
    Promise<Context> answeredOn = Promise.promise();
    context.runOnContext(any ->
        probes
            .probe(POOL, viewer.id(), viewer.address(), Depth.GUACD)
            .onComplete(done -> answeredOn.complete(Vertx.currentContext())));
    assertThat(get(answeredOn.future())).isSameAs(context);
  }

  // ---- what may not be dialled

  @ParameterizedTest(name = "{0} is not dialled: {1}")
  @CsvSource({
    "127.64.0.2, outside the allowed",
    "fdaa:9:d845:a7b:1::2, outside the allowed",
    "fdaa:9:d844::3, DNS server",
    "fe80::1, link-local",
    "::ffff:10.0.0.1, IPv4",
    "viewer.example, not an IP address",
    "fdaa:9:d844::2%eth0, zone"
  })
  void guarded(String address, String words) {
    try (ViewerProbes guarded =
        new ViewerProbes(new Reach.SixPn(List.of("fdaa:9:d844::/48")), ViewerProbesIT::asking)) {
      Answer answer = get(guarded.probe(POOL, new MachineId("m1"), address, Depth.FULL));
      assertThat(answer.verdict()).isEqualTo(Verdict.PROBER_FAULT);
      assertThat(answer.detail()).contains("may not dial").contains(words);
    }
  }

  @Test
  @DisplayName("also where viewers are on this host, nothing else is dialled")
  void guardedOnLoopback() {
    Reach here = Reach.loopback(Environment.DEMO, Reach.Detour.NONE);
    try (ViewerProbes guarded = new ViewerProbes(here, ViewerProbesIT::asking)) {
      Answer answer = get(guarded.probe(POOL, new MachineId("m1"), "fdaa:9:d844::2", Depth.FULL));
      assertThat(answer.verdict()).isEqualTo(Verdict.PROBER_FAULT);
      assertThat(answer.detail()).contains("may not dial");
    }
  }

  // ---- our own mistakes

  @Test
  @DisplayName("a pool that is not declared (any more) says nothing about its Machines")
  void unknownPool() {
    Answer answer = get(probes.probe(NOBODYS, new MachineId("m1"), "127.0.0.1", Depth.FULL));
    assertThat(answer.verdict()).isEqualTo(Verdict.PROBER_FAULT);
    assertThat(answer.detail()).contains("no pool is called nobodys");
  }

  @Test
  @DisplayName("a prober that is closed answers for itself, at once")
  void closed() {
    Viewer viewer = viewer(Mode.HANG);
    ViewerProbes closing =
        new ViewerProbes(
            Reach.loopback(Environment.DEMO, ViewerProbesIT::bySimulator), ViewerProbesIT::asking);
    var underWay = closing.probe(POOL, viewer.id(), viewer.address(), Depth.FULL);
    var behind = closing.probe(POOL, viewer.id(), viewer.address(), Depth.FIRST);
    closing.close();
    assertThat(get(underWay).verdict()).isEqualTo(Verdict.PROBER_FAULT);
    assertThat(get(behind).verdict()).isEqualTo(Verdict.PROBER_FAULT);
    var after = closing.probe(POOL, viewer.id(), viewer.address(), Depth.GUACD);
    assertThat(get(after).verdict()).isEqualTo(Verdict.PROBER_FAULT);
  }
}
