// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.failure;
import static cupbear.flysim.contract.Meeting.now;
import static cupbear.flysim.contract.Meeting.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyMachine;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.ExitEvent;
import cupbear.fly.model.HostStatus;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.Restart;
import cupbear.fly.model.Stop;
import cupbear.fly.model.WaitFor;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.world.Order;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What befalls single Machines by order of the control API, and what the client shows of it. */
class MishapsIT {

  private Meeting meeting;

  @BeforeEach
  void meet() throws Exception {
    meeting = new Meeting();
  }

  @AfterEach
  void part() throws Exception {
    meeting.close();
  }

  /** Each of these has a test below; one that is new fails here until it has one. */
  @Test
  void everyOrderToAMachineIsKnown() {
    assertThat(
            Arrays.stream(Order.values())
                .filter(
                    order -> order.method().equals("POST") && order.path().contains(":machine")))
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.of(
                Order.CRASH,
                Order.HOST_DOWN,
                Order.HOST_UP,
                Order.MIGRATE,
                Order.VIEWER,
                Order.HOLD_LEASE));
  }

  @Test
  void crashIsAnUnexpectedExit() throws Exception {
    CreateMachine order =
        CreateMachine.of(
            meeting.name(), "iad", CONFIG.edit().restart(Restart.onFailure(3)).build());
    FlyMachine machine = meeting.made(order, "started");
    String seen = value(machine.events(1)).getFirst().id();
    value(meeting.sim.faults().crash(machine.id(), 7, false));
    value(machine.waitFor(WaitFor.anyOf("started").after(seen)));
    ExitEvent exit = now(machine).unexpectedExit().orElseThrow();
    assertThat(exit.exitCode()).isEqualTo(7);
    assertThat(exit.restarting()).isTrue();
    assertThat(exit.requestedStop()).isFalse();
  }

  @Test
  void exitEventMayStandUnderTheMonitor() throws Exception {
    value(meeting.sim.faults().switches(new JsonObject().put("exit_event_under", "monitor_event")));
    FlyMachine machine = meeting.running();
    value(meeting.sim.faults().crash(machine.id(), 1, true));
    value(machine.waitFor(WaitFor.anyOf("stopped")));
    assertThat(now(machine).unexpectedExit().orElseThrow().oomKilled()).isTrue();
  }

  @Test
  void stopByRequestIsNoUnexpectedExit() throws Exception {
    FlyMachine machine = meeting.running();
    value(machine.stop(Stop.AS_CONFIGURED));
    value(machine.waitFor(WaitFor.anyOf("stopped")));
    assertThat(now(machine).unexpectedExit()).isEmpty();
  }

  /** Reading works, the configuration is incomplete, what needs the host hangs and is in doubt. */
  @Test
  void deadHostLeavesEverythingInDoubt() throws Exception {
    FlyMachine machine = meeting.running();
    value(meeting.sim.faults().hostDown(machine.id()));
    Machine seen = now(machine);
    assertThat(seen.hostStatus()).isEqualTo(HostStatus.UNREACHABLE);
    assertThat(seen.state().kind()).isEqualTo(Kind.STARTED);
    assertThat(seen.config()).isNull();
    assertThat(requireNonNull(seen.incompleteConfig()).image()).isNotNull();
    TimedOut hung = failure(TimedOut.class, machine.stop(Stop.AS_CONFIGURED));
    assertThat(hung.where()).isEqualTo(TimedOut.Where.AT_FLY);
    assertThat(hung.facts().maybeDone()).isTrue();
    assertThat(meeting.ending(Action.STOP).attempts()).isEqualTo(Meeting.BRISK.attempts());
    value(meeting.sim.faults().hostUp(machine.id()));
    assertThat(now(machine).hostStatus()).isEqualTo(HostStatus.OK);
    value(machine.stop(Stop.AS_CONFIGURED));
    value(machine.waitFor(WaitFor.anyOf("stopped")));
  }

  @Test
  void migrationChangesTheAddress() throws Exception {
    FlyMachine machine = meeting.running();
    Machine before = now(machine);
    value(meeting.sim.faults().migrate(machine.id()));
    value(machine.waitFor(WaitFor.anyOf("started").after(before.events().getFirst().id())));
    Machine after = now(machine);
    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.instanceId()).isEqualTo(before.instanceId());
    assertThat(after.privateIp()).isNotEqualTo(before.privateIp());
  }

  /** Started is not ready: Fly's word stays the same whatever hangs inside. */
  @Test
  void hangingViewerIsInvisibleToTheApi() throws Exception {
    FlyMachine machine = meeting.running();
    value(meeting.sim.faults().viewer(machine.id(), Mode.HANG));
    assertThat(now(machine).state().kind()).isEqualTo(Kind.STARTED);
    assertThat(now(machine).hostStatus()).isEqualTo(HostStatus.OK);
  }

  /** Most calls are refused at once; a stop hangs and may still happen when the lease ends. */
  @Test
  void foreignLeaseRefusesMostAndBlocksStop() throws Exception {
    FlyMachine machine = meeting.running();
    value(meeting.sim.faults().holdLease(machine.id(), "bob", Duration.ofMinutes(1)));
    failure(LeaseHeld.class, machine.suspend());
    assertThat(meeting.ending(Action.SUSPEND).attempts()).isOne();
    value(machine.metadata().set("k", "v"));
    TimedOut blocked =
        failure(TimedOut.class, machine.within(Duration.ofMillis(300)).stop(Stop.AS_CONFIGURED));
    assertThat(blocked.where()).isEqualTo(TimedOut.Where.WIRE);
    assertThat(blocked.facts().maybeDone()).isTrue();
    value(meeting.sim.faults().switches(new JsonObject().put("stop_under_lease", "refuse")));
    assertThat(failure(LeaseHeld.class, machine.delete(true)).owner()).isEqualTo("bob");
  }
}
