// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.failure;
import static cupbear.flysim.contract.Meeting.now;
import static cupbear.flysim.contract.Meeting.value;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.fly.Action;
import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.MachineLimit;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyMachine;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.ExitEvent;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.OrgMachine;
import cupbear.fly.model.OrgMachines;
import cupbear.fly.model.OrgQuery;
import cupbear.fly.model.PlacementQuestion;
import cupbear.fly.model.Started;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import cupbear.flysim.FlySimConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every fault the simulator can set, and what a caller of the client gets to see of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {

  /** What happens under one fault. */
  interface Scenario {
    void play() throws Exception;
  }

  private static final String ONCE = "\"times\":1";

  /** A day on the platform is a minute and a half here. */
  private static final long A_WHILE = Duration.ofDays(1).toMillis();

  private Meeting meeting;

  @BeforeAll
  void meet() throws Exception {
    meeting = new Meeting();
  }

  @AfterAll
  void part() throws Exception {
    meeting.close();
  }

  private Map<String, Scenario> scenarios() {
    return new TreeMap<>(
        Map.ofEntries(
            entry("capacity.region", this::fullRegion),
            entry("capacity.host", this::fullHost),
            entry("ambiguous_create", this::ambiguousCreate),
            entry("empty_list", this::emptyList),
            entry("partial_list", this::partialList),
            entry("stale_list", this::staleList),
            entry("rate_limit", this::rateLimit),
            entry("crash_loop", this::crashLoop),
            entry("launch_failed", this::launchFailed),
            entry("bad_image", this::badImage),
            entry("stuck_created", this::stuckCreated),
            entry("start_lost", this::startLost),
            entry("start_error", this::startError),
            entry("start_migrates", this::startMigrates),
            entry("server_error", this::serverError),
            entry("manifest_unknown", this::manifestUnknown),
            entry("org_machine_limit", this::machineLimit),
            entry("slow", this::slow),
            entry("connection_reset", this::connectionReset),
            entry("unauthorized", this::unauthorized)));
  }

  @Test
  void everyKindHasAScenario() throws Exception {
    assertThat(scenarios().keySet()).containsExactlyInAnyOrderElementsOf(meeting.faultKinds());
  }

  @TestFactory
  List<DynamicTest> faults() {
    List<DynamicTest> tests = new ArrayList<>();
    scenarios()
        .forEach((kind, scenario) ->
            tests.add(
                DynamicTest.dynamicTest(
                    kind,
                    () -> {
                      meeting.forget();
                      try {
                        scenario.play();
                      } finally {
                        meeting.calm();
                      }
                    })));
    return tests;
  }

  /** Not repeated: another region is the caller's decision, or that of a list of regions. */
  private void fullRegion() throws Exception {
    meeting.fault("capacity.region", "\"region\":\"iad\"");
    failure(NoCapacity.class, meeting.app.create(meeting.order()));
    assertThat(meeting.ending(Action.CREATE_MACHINE).attempts()).isOne();
    CreateMachine wider = CreateMachine.of(meeting.name(), "iad,lhr", CONFIG);
    assertThat(value(meeting.app.create(wider)).machine().region()).isEqualTo("lhr");
    assertThat(
            value(meeting.fly.placements(new PlacementQuestion(FlySimConfig.ORG, "iad", 1, null)))
                .regions())
        .isEmpty();
  }

  /** Not repeated either. One that is accepted and taken back shows in the version only. */
  private void fullHost() throws Exception {
    FlyMachine machine = meeting.parked();
    String version = now(machine).instanceId();
    meeting.fault("capacity.host", ONCE + ",\"resource\":\"memory\"");
    NoCapacity full = failure(NoCapacity.class, machine.start());
    assertThat(full.facts().detail()).contains("insufficient memory");
    assertThat(meeting.ending(Action.START).attempts()).isOne();
    meeting.fault("capacity.host", ONCE + ",\"revert\":true");
    Machine accepted = value(machine.update(UpdateMachine.of(CONFIG, version)));
    assertThat(accepted.instanceId()).isNotEqualTo(version);
    await().until(() -> now(machine).instanceId().equals(version));
    assertThat(now(machine).state().kind()).isEqualTo(Kind.STOPPED);
  }

  private void ambiguousCreate() throws Exception {
    for (String answer : List.of("408", "504", "reset")) {
      meeting.fault("ambiguous_create", ONCE + ",\"answer\":\"" + answer + "\"");
      int before = meeting.arrived("create");
      CreateMachine order = meeting.order();
      Created created = value(meeting.app.create(order));
      assertThat(created.adopted()).as(answer).isTrue();
      assertThat(created.machine().name()).isEqualTo(order.name());
      assertThat(meeting.arrived("create") - before).as(answer).isOne();
    }
  }

  /** An empty list is passed on as it is; it makes no second Machine, as the name is taken. */
  private void emptyList() throws Exception {
    meeting.fault("empty_list", "");
    meeting.fault("ambiguous_create", ONCE);
    CreateMachine order = meeting.order();
    Created created = value(meeting.app.create(order));
    assertThat(created.adopted()).isTrue();
    assertThat(meeting.ending(Action.CREATE_MACHINE).attempts()).isEqualTo(2);
    assertThat(value(meeting.app.machines(MachineFilter.ALL))).isEmpty();
    assertThat(meeting.truth())
        .filteredOn(machine -> machine.getString("name").equals(order.name()))
        .hasSize(1);
  }

  /** Only the organisation's list says that a region did not answer. */
  private void partialList() throws Exception {
    FlyMachine hidden = meeting.running();
    meeting.fault("partial_list", "\"regions\":[\"iad\"]");
    OrgMachines page = value(meeting.fly.machines(FlySimConfig.ORG, OrgQuery.FIRST));
    assertThat(page.isWhole()).isFalse();
    assertThat(page.errorRegions()).containsExactly("iad");
    assertThat(page.machines()).extracting(OrgMachine::id).doesNotContain(hidden.id());
    assertThat(value(meeting.app.machines(MachineFilter.ALL)))
        .extracting(Machine::id)
        .doesNotContain(hidden.id());
  }

  private void staleList() throws Exception {
    meeting.fault("stale_list", "\"ms\":60000");
    FlyMachine fresh = meeting.running();
    assertThat(value(meeting.app.machines(MachineFilter.ALL)))
        .extracting(Machine::id)
        .doesNotContain(fresh.id());
    assertThat(now(fresh).state().kind()).isEqualTo(Kind.STARTED);
    meeting.calm();
    assertThat(value(meeting.app.machines(MachineFilter.ALL)))
        .extracting(Machine::id)
        .contains(fresh.id());
  }

  private void rateLimit() throws Exception {
    meeting.fault("rate_limit", ONCE + ",\"actions\":[\"list\"]");
    value(meeting.app.machines(MachineFilter.ALL));
    assertThat(meeting.ending(Action.LIST_MACHINES).attempts()).isEqualTo(2);
    assertThat(meeting.answers(429)).isOne();
  }

  private void crashLoop() throws Exception {
    meeting.fault("crash_loop", "\"oom\":true,\"after_ms\":1");
    FlyMachine machine = meeting.app.machine(created().id());
    value(machine.waitFor(WaitFor.anyOf("stopped")));
    ExitEvent exit = now(machine).unexpectedExit().orElseThrow();
    assertThat(exit.oomKilled()).isTrue();
    assertThat(exit.exitCode()).isEqualTo(137);
    assertThat(exit.restarting()).isFalse();
  }

  /** The create succeeds; whoever waits for the Machine learns that it cannot come. */
  private void launchFailed() throws Exception {
    meeting.fault("launch_failed", ONCE);
    FlyMachine machine = meeting.app.machine(created().id());
    failure(Precondition.class, machine.waitFor(WaitFor.anyOf("started")));
    value(machine.waitFor(WaitFor.anyOf("destroyed")));
  }

  /** Fly has nothing to complain about: only whoever asks the services learns of it. */
  private void badImage() throws Exception {
    meeting.fault("bad_image", ONCE + ",\"mode\":\"crashed\"");
    FlyMachine machine = meeting.app.machine(created().id());
    value(machine.waitFor(WaitFor.anyOf("started")));
    assertThat(now(machine).state().kind()).isEqualTo(Kind.STARTED);
    value(machine.delete(true));
  }

  private void stuckCreated() throws Exception {
    meeting.fault("stuck_created", ONCE + ",\"ms\":" + A_WHILE);
    FlyMachine machine = meeting.app.machine(created().id());
    WaitFor up = WaitFor.anyOf("started").rounds(Duration.ofSeconds(1));
    TimedOut late = failure(TimedOut.class, machine.within(Duration.ofSeconds(2)).waitFor(up));
    assertThat(late.where()).isEqualTo(TimedOut.Where.AT_FLY);
    assertThat(late.facts().detail()).contains("currently created");
    assertThat(now(machine).state().kind()).isEqualTo(Kind.CREATED);
    value(machine.delete(true));
  }

  /** Accepted, and nothing happens: only waiting tells. A second start is not lost. */
  private void startLost() throws Exception {
    FlyMachine machine = meeting.parked();
    String version = now(machine).instanceId();
    Machine updated = value(machine.update(UpdateMachine.of(CONFIG, version)));
    value(machine.waitFor(WaitFor.anyOf("stopped").version(updated.instanceId())));
    meeting.fault("start_lost", ONCE);
    assertThat(value(machine.start()).previousState().kind()).isEqualTo(Kind.STOPPED);
    assertThat(now(machine).state().kind()).isEqualTo(Kind.STOPPED);
    value(machine.start());
    value(machine.waitFor(WaitFor.anyOf("started")));
  }

  /** A refusal inside a 200: looked up, because it might run already, and not repeated. */
  private void startError() throws Exception {
    FlyMachine machine = meeting.parked();
    meeting.fault("start_error", "\"message\":\"no luck\"");
    Precondition refused = failure(Precondition.class, machine.start());
    assertThat(refused.facts().detail()).isEqualTo("no luck");
    assertThat(meeting.ending(Action.START).attempts()).isOne();
    assertThat(meeting.called(Action.GET_MACHINE)).isTrue();
  }

  private void startMigrates() throws Exception {
    FlyMachine machine = meeting.parked();
    String address = now(machine).privateIp();
    meeting.fault("start_migrates", ONCE);
    Started started = value(machine.start());
    assertThat(started.migrated()).isTrue();
    assertThat(started.newHost()).isNotEmpty();
    value(machine.waitFor(WaitFor.anyOf("started")));
    assertThat(now(machine).privateIp()).isNotEqualTo(address);
  }

  /** One is repeated away; one that stays is told after the last attempt. */
  private void serverError() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("server_error", ONCE + ",\"status\":502,\"plain_text\":true");
    now(machine);
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isEqualTo(2);
    meeting.fault("server_error", "");
    Unavailable ill = failure(Unavailable.class, machine.get());
    assertThat(ill.facts().detail()).contains("try again");
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isEqualTo(Meeting.BRISK.attempts());
  }

  /** Just after a push the image is not there yet; that passes. */
  private void manifestUnknown() throws Exception {
    meeting.fault("manifest_unknown", "\"times\":2");
    assertThat(value(meeting.app.create(meeting.order())).adopted()).isFalse();
    assertThat(meeting.ending(Action.CREATE_MACHINE).attempts()).isEqualTo(3);
    meeting.fault("manifest_unknown", "");
    assertThat(failure(BadRequest.class, meeting.app.create(meeting.order())).imageMissing())
        .isTrue();
  }

  private void machineLimit() throws Exception {
    meeting.running();
    meeting.fault("org_machine_limit", "\"limit\":1");
    failure(MachineLimit.class, meeting.app.create(meeting.order()));
    assertThat(meeting.ending(Action.CREATE_MACHINE).attempts()).isOne();
  }

  /** Slow alone is no failure; slower than the caller's time is, and the deed stays in doubt. */
  private void slow() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("slow", ONCE + ",\"ms\":200");
    now(machine);
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isOne();
    meeting.fault("slow", "\"ms\":3000,\"actions\":[\"cordon\"]");
    TimedOut late = failure(TimedOut.class, machine.within(Duration.ofMillis(200)).cordon());
    assertThat(late.where()).isEqualTo(TimedOut.Where.WIRE);
    assertThat(late.facts().maybeDone()).isTrue();
  }

  /** A read is repeated; a command is not, as nobody could tell whether it ran. */
  private void connectionReset() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("connection_reset", ONCE + ",\"actions\":[\"get\"]");
    now(machine);
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isEqualTo(2);
    meeting.fault("connection_reset", ONCE + ",\"after\":true,\"actions\":[\"exec\"]");
    Unreachable broken = failure(Unreachable.class, machine.exec(ExecCommand.of("true")));
    assertThat(broken.facts().maybeDone()).isTrue();
    assertThat(meeting.ending(Action.EXEC).attempts()).isOne();
  }

  private void unauthorized() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.fault("unauthorized", "");
    failure(Unauthorised.class, machine.get());
    assertThat(meeting.ending(Action.GET_MACHINE).attempts()).isOne();
  }

  private Machine created() throws Exception {
    return value(meeting.app.create(meeting.order())).machine();
  }
}
