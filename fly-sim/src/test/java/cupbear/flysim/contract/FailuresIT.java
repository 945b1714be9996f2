// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.failure;
import static cupbear.flysim.contract.Meeting.value;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.BreakerRule;
import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig.Pacing;
import cupbear.fly.FlyFailure;
import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.MachineLimit;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.Precondition.Reason;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.FlyFailure.VersionConflict;
import cupbear.fly.FlyMachine;
import cupbear.fly.Rate;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.world.Token;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Every kind of failure, really brought about, and told by the client for what it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailuresIT {

  private static final int LAST = Integer.MAX_VALUE;
  private static final String OTHER_TOKEN = "fm2_other";
  private static final Duration MOMENT = Duration.ofMillis(300);

  private Meeting meeting;
  private final Set<Class<?>> met = new HashSet<>();
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

  @BeforeAll
  void meet() throws Exception {
    meeting =
        new Meeting(
            FlySimConfig.standard()
                .withTokens(
                    List.of(
                        Token.org(FlySimConfig.TOKEN, FlySimConfig.ORG),
                        Token.app(OTHER_TOKEN, FlySimConfig.ORG, "elsewhere")))
                .withViewers(NoViewers::new),
            config -> config);
  }

  @AfterEach
  void calm() throws Exception {
    meeting.calm();
  }

  @AfterAll
  void part() throws Exception {
    meeting.close();
  }

  private <F extends FlyFailure> F meets(Class<F> kind, Future<?> call) throws Exception {
    F failure = failure(kind, call);
    met.add(kind);
    assertThat(failure.sentence()).contains(failure.advice()).doesNotContain(FlySimConfig.TOKEN);
    return failure;
  }

  private void refuses(Reason reason, Future<?> call) throws Exception {
    assertThat(meets(Precondition.class, call).reason()).isEqualTo(reason);
    reasons.add(reason);
  }

  private FlyMachine nobody() {
    return meeting.app.machine("00000000000000");
  }

  @Test
  void rateLimited() throws Exception {
    meeting.fault("rate_limit", "\"actions\":[\"list\"]");
    RateLimited limited =
        meets(
            RateLimited.class,
            meeting.app.within(Duration.ofMillis(950)).machines(MachineFilter.ALL));
    assertThat(limited.facts().status()).isEqualTo(429);
    assertThat(limited.facts().requestId()).isNotEmpty();
  }

  @Test
  void notFound() throws Exception {
    assertThat(meets(NotFound.class, nobody().get()).facts().status()).isEqualTo(404);
    meets(NotFound.class, meeting.fly.app("no-such-app").get());
    meets(NotFound.class, nobody().start());
  }

  @Test
  void leaseHeld() throws Exception {
    FlyMachine machine = meeting.parked();
    value(meeting.sim.faults().holdLease(machine.id(), "bob@example.com", Duration.ofMinutes(1)));
    for (Future<?> call :
        List.of(machine.start(), machine.cordon(), machine.acquireLease(MOMENT, "mine"))) {
      LeaseHeld held = meets(LeaseHeld.class, call);
      assertThat(held.owner()).isEqualTo("bob@example.com");
      assertThat(held.until()).isAfter(Instant.now());
    }
  }

  @Test
  void nameTaken() throws Exception {
    CreateMachine order = meeting.order();
    FlyMachine first = meeting.made(order, "started");
    assertThat(meets(NameTaken.class, meeting.app.create(order)).holder()).isEqualTo(first.id());
    NewApp app = new NewApp(FlySimConfig.APP, FlySimConfig.ORG, "");
    assertThat(meets(NameTaken.class, meeting.fly.createApp(app)).holder()).isEmpty();
  }

  /** Volumes are not simulated; their shortage is classified in the client's own tests. */
  @Test
  void noCapacity() throws Exception {
    FlyMachine machine = meeting.parked();
    meeting.fault("capacity.region", "\"region\":\"iad\"");
    meeting.fault("capacity.host", "");
    assertThat(meets(NoCapacity.class, meeting.app.create(meeting.order())).scope())
        .isEqualTo(NoCapacity.Scope.REGION);
    assertThat(meets(NoCapacity.class, machine.start()).scope()).isEqualTo(NoCapacity.Scope.HOST);
    assertThat(meets(NoCapacity.class, machine.update(UpdateMachine.of(CONFIG, ""))).scope())
        .isEqualTo(NoCapacity.Scope.HOST);
  }

  @Test
  void preconditionThatPasses() throws Exception {
    value(
        meeting
            .sim
            .faults()
            .latencies(
                new JsonObject(
                    """
                    {"reap": {"p50_ms": 600000000, "p95_ms": 600000000},
                     "update_stopped": {"p50_ms": 600000000, "p95_ms": 600000000}}
                    """)));
    FlyMachine reaped = meeting.running();
    value(reaped.stop(Stop.AS_CONFIGURED));
    value(reaped.waitFor(WaitFor.anyOf("stopped")));
    refuses(Reason.STILL_ACTIVE, reaped.start());
    FlyMachine replaced = meeting.parked();
    value(replaced.update(UpdateMachine.of(CONFIG, "")));
    refuses(Reason.REPLACING, replaced.start());
    meeting.fault("stuck_created", "\"ms\":600000000");
    FlyMachine unpacked =
        meeting.app.machine(value(meeting.app.create(meeting.order())).machine().id());
    refuses(Reason.NOT_READY, unpacked.start());
    value(meeting.sim.faults().reset());
  }

  @Test
  void preconditionThatStays() throws Exception {
    FlyMachine parked = meeting.parked();
    FlyMachine running = meeting.running();
    refuses(Reason.NOT_RUNNING, parked.exec(ExecCommand.of("true")));
    refuses(Reason.NOT_STOPPED, running.delete(false));
    refuses(Reason.OTHER, parked.suspend());
    value(running.delete(true));
    refuses(Reason.OTHER, running.waitFor(WaitFor.anyOf("started")));
  }

  @Test
  void versionConflict() throws Exception {
    FlyMachine machine = meeting.running();
    String old = Meeting.now(machine).instanceId();
    String fresh = value(machine.update(UpdateMachine.of(CONFIG, old))).instanceId();
    value(machine.waitFor(WaitFor.anyOf("started").version(fresh)));
    meets(VersionConflict.class, machine.update(UpdateMachine.of(CONFIG, old)));
    meets(VersionConflict.class, machine.waitFor(WaitFor.anyOf("started").version(old)));
    MetadataChange change = MetadataChange.of(Map.of("k", "v")).ifVersion(old);
    meets(VersionConflict.class, machine.metadata().patch(change));
  }

  @Test
  void machineLimit() throws Exception {
    meeting.running();
    meeting.fault("org_machine_limit", "\"limit\":1");
    meets(MachineLimit.class, meeting.app.create(meeting.order()));
  }

  @Test
  void unauthorised() throws Exception {
    FlyClient stranger = meeting.client(meeting.sim.url(), "fm2_unknown", config -> config);
    meets(Unauthorised.class, stranger.currentToken());
    assertThat(meeting.ending(Action.CURRENT_TOKEN).attempts()).isOne();
  }

  @Test
  void forbidden() throws Exception {
    FlyClient other = meeting.client(meeting.sim.url(), OTHER_TOKEN, config -> config);
    meets(Forbidden.class, other.app(FlySimConfig.APP).machines(MachineFilter.ALL));
    assertThat(meeting.ending(Action.LIST_MACHINES).attempts()).isOne();
  }

  @Test
  void timedOut() throws Exception {
    FlyMachine machine = meeting.running();
    TimedOut atFly =
        meets(
            TimedOut.class,
            machine
                .within(Duration.ofSeconds(2))
                .waitFor(WaitFor.anyOf("stopped").rounds(Duration.ofSeconds(1))));
    assertThat(atFly.where()).isEqualTo(TimedOut.Where.AT_FLY);
    meeting.fault("slow", "\"ms\":5000");
    TimedOut wire = meets(TimedOut.class, machine.within(MOMENT).start());
    assertThat(wire.where()).isEqualTo(TimedOut.Where.WIRE);
    assertThat(wire.facts().maybeDone()).isTrue();
    FlyClient slow =
        meeting.client(
            meeting.sim.url(),
            FlySimConfig.TOKEN,
            config -> config.pacing(Pacing.USUAL.usual(new Rate(0.01, 1))));
    slow.app(FlySimConfig.APP).machines(MachineFilter.ALL).onComplete(done -> {});
    TimedOut pace =
        meets(
            TimedOut.class, slow.within(MOMENT).app(FlySimConfig.APP).machines(MachineFilter.ALL));
    assertThat(pace.where()).isEqualTo(TimedOut.Where.PACE);
    assertThat(pace.facts().maybeDone()).isFalse();
  }

  @Test
  void unreachable() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("connection_reset", "\"actions\":[\"exec\"]");
    Unreachable broken = meets(Unreachable.class, machine.exec(ExecCommand.of("true")));
    assertThat(broken.sent()).isEqualTo(Unreachable.Sent.MAYBE);
    assertThat(broken.facts().status()).isZero();
  }

  @Test
  void unavailable() throws Exception {
    BreakerRule touchy = new BreakerRule(4, 4, 0.5, Duration.ofMinutes(1), Duration.ofMinutes(1));
    FlyClient careful =
        meeting.client(meeting.sim.url(), FlySimConfig.TOKEN, config -> config.breaker(touchy));
    meeting.fault("server_error", "\"status\":503,\"plain_text\":true");
    Unavailable ill = meets(Unavailable.class, careful.regions());
    assertThat(ill.origin()).isEqualTo(Unavailable.Origin.FLY);
    assertThat(ill.facts().status()).isEqualTo(503);
    int asked = meeting.arrived("current_token");
    Unavailable spared = meets(Unavailable.class, careful.currentToken());
    assertThat(spared.origin()).isEqualTo(Unavailable.Origin.BREAKER);
    assertThat(meeting.arrived("current_token")).isEqualTo(asked);
  }

  @Test
  void badRequest() throws Exception {
    FlyMachine machine = meeting.running();
    assertThat(meets(BadRequest.class, machine.signal("SIGNONE")).imageMissing()).isFalse();
    meets(BadRequest.class, meeting.app.create(CreateMachine.of("x", "nowhere", CONFIG)));
    meeting.fault("manifest_unknown", "");
    assertThat(meets(BadRequest.class, meeting.app.create(meeting.order())).imageMissing())
        .isTrue();
  }

  /** What a proxy in between would do: a page of its own, with 200. */
  @Test
  void unreadable() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("server_error", "\"status\":200,\"plain_text\":true");
    assertThat(meets(Unreadable.class, machine.get()).facts().status()).isEqualTo(200);
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isEqualTo(Meeting.BRISK.attempts());
  }

  @Test
  @Order(LAST)
  void noKindWasLeftOut() {
    assertThat(met)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.asList(FlyFailure.class.getPermittedSubclasses()));
    // Starting a Machine that starts already is looked up, and counts as done.
    assertThat(reasons)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(Reason.STILL_STARTING)));
  }
}
