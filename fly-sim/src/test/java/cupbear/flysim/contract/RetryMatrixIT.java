// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.failure;
import static cupbear.flysim.contract.Meeting.now;
import static cupbear.flysim.contract.Meeting.value;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.FlyApp;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyHooks;
import cupbear.fly.FlyMachine;
import cupbear.fly.Outcome;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.Lease;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import cupbear.flysim.FlySimConfig;
import io.vertx.core.Future;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which calls are repeated after which trouble, which are looked up first and which are given up:
 * counted where the requests arrive.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetryMatrixIT {

  private static final Duration TTL = Duration.ofSeconds(60);

  /** A call that is about to be made. */
  interface Ready {
    Future<?> call();
  }

  /** Brings about what the call needs. */
  interface Scene {
    Ready set(Meeting meeting) throws TimeoutException;
  }

  /** A call on a Machine that runs. */
  interface OnMachine {
    Future<?> call(FlyMachine machine);
  }

  /**
   * A column of the matrix.
   *
   * @param atFly what the simulator calls it
   * @param lookAtFly the call by which the client finds out what became of it; empty for none
   */
  record Column(Action action, String atFly, String lookAtFly, Scene scene) {
    @Override
    public String toString() {
      return action.label();
    }
  }

  private static Column column(Action action, String atFly, Scene scene) {
    return new Column(action, atFly, "", scene);
  }

  private static List<Column> columns() {
    return Stream.of(reads(), moves(), births(), writes(), leases(), onces())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Column> reads() {
    return List.of(
        column(Action.GET_MACHINE, "get", onRunning(FlyMachine::get)),
        column(Action.LIST_MACHINES, "list", m -> () -> m.app.machines(MachineFilter.ALL)),
        column(Action.WAIT, "wait", onRunning(m -> m.waitFor(WaitFor.anyOf("started")))));
  }

  private static List<Column> moves() {
    return List.of(
        new Column(Action.START, "start", "get", m -> m.parked()::start),
        new Column(Action.STOP, "stop", "get", onRunning(m -> m.stop(Stop.AS_CONFIGURED))),
        new Column(Action.SUSPEND, "suspend", "get", onRunning(FlyMachine::suspend)),
        column(Action.DELETE_MACHINE, "delete", onRunning(m -> m.delete(true))),
        column(Action.CORDON, "cordon", onRunning(FlyMachine::cordon)));
  }

  private static List<Column> births() {
    return List.of(
        new Column(Action.CREATE_MACHINE, "create", "list", RetryMatrixIT::create),
        new Column(Action.CREATE_APP, "create_app", "get_app", RetryMatrixIT::createApp),
        new Column(Action.UPDATE_MACHINE, "update", "get", RetryMatrixIT::update));
  }

  private static List<Column> writes() {
    MetadataChange change = MetadataChange.of(Map.of("k", "v"));
    return List.of(
        column(Action.PATCH_METADATA, "patch_metadata", onRunning(m -> m.metadata().patch(change))),
        column(
            Action.SET_METADATA_KEY,
            "set_metadata_key",
            onRunning(m -> m.metadata().set("k", "v"))),
        column(
            Action.DELETE_METADATA_KEY,
            "delete_metadata_key",
            onRunning(m -> m.metadata().remove("role"))));
  }

  private static List<Column> leases() {
    Scene acquire = onRunning(m -> m.acquireLease(TTL, "ours"));
    return List.of(
        new Column(Action.ACQUIRE_LEASE, "acquire_lease", "get_lease", acquire),
        column(Action.REFRESH_LEASE, "acquire_lease", RetryMatrixIT::refresh),
        column(Action.RELEASE_LEASE, "release_lease", RetryMatrixIT::release));
  }

  private static List<Column> onces() {
    return List.of(
        column(Action.EXEC, "exec", onRunning(m -> m.exec(ExecCommand.of("true")))),
        column(Action.SIGNAL, "signal", onRunning(m -> m.signal("SIGUSR1"))),
        column(Action.RESTART, "restart", onRunning(m -> m.restart(Stop.AS_CONFIGURED))));
  }

  private static Scene onRunning(OnMachine call) {
    return meeting -> {
      FlyMachine machine = meeting.running();
      return () -> call.call(machine);
    };
  }

  private static Ready create(Meeting meeting) {
    CreateMachine order = meeting.order();
    return () -> meeting.app.create(order);
  }

  private static Ready createApp(Meeting meeting) {
    NewApp order = new NewApp("app-" + meeting.name(), FlySimConfig.ORG, "");
    return () -> meeting.fly.createApp(order);
  }

  private static Ready update(Meeting meeting) throws TimeoutException {
    FlyMachine machine = meeting.running();
    MachineConfig config = CONFIG.edit().env("A", "1").build();
    String version = now(machine).instanceId();
    return () -> machine.update(UpdateMachine.of(config, version));
  }

  private static Ready refresh(Meeting meeting) throws TimeoutException {
    FlyMachine machine = meeting.running();
    Lease lease = value(machine.acquireLease(TTL, "ours"));
    return () -> machine.refreshLease(lease, TTL);
  }

  private static Ready release(Meeting meeting) throws TimeoutException {
    FlyMachine machine = meeting.running();
    Lease lease = value(machine.acquireLease(TTL, "ours"));
    return () -> machine.releaseLease(lease);
  }

  /** The rows in which the answer is lost. */
  enum Loss {
    RESET("connection_reset", "", false),
    RESET_AFTER_THE_DEED("connection_reset", "\"after\":true,", true),
    UNAVAILABLE("server_error", "", false),
    UNAVAILABLE_AFTER_THE_DEED("server_error", "\"status\":502,\"after\":true,", true),
    TIMEOUT_AFTER_THE_DEED("server_error", "\"status\":408,\"after\":true,", true);

    final String fault;
    final String more;
    final boolean done;

    Loss(String fault, String more, boolean done) {
      this.fault = fault;
      this.more = more;
      this.done = done;
    }
  }

  private Meeting meeting;

  @BeforeAll
  void meet() throws Exception {
    meeting = new Meeting();
  }

  @AfterEach
  void calm() throws Exception {
    meeting.calm();
  }

  @AfterAll
  void part() throws Exception {
    meeting.close();
  }

  private static Stream<Arguments> losses() {
    return columns().stream()
        .flatMap(column -> Arrays.stream(Loss.values()).map(loss -> Arguments.of(column, loss)));
  }

  @ParameterizedTest(name = "{0} after {1}")
  @MethodSource("losses")
  void lostAnswer(Column column, Loss loss) throws Exception {
    Ready ready = column.scene().set(meeting);
    int before = meeting.arrived(column.atFly());
    int looksBefore = column.lookAtFly().isEmpty() ? 0 : meeting.arrived(column.lookAtFly());
    meeting.forget();
    meeting.fault(loss.fault, loss.more + "\"times\":1,\"actions\":[\"" + column.atFly() + "\"]");
    Future<?> call = ready.call();
    int sent =
        switch (column.action().repeat()) {
          case READ, IDEMPOTENT -> {
            value(call);
            yield 2;
          }
          case LOOK_FIRST -> {
            value(call);
            assertThat(meeting.arrived(column.lookAtFly())).as("looks").isGreaterThan(looksBefore);
            assertThat(meeting.ending(column.action()).outcome())
                .isEqualTo(loss.done ? Outcome.FOUND_DONE : Outcome.OK);
            yield loss.done ? 1 : 2;
          }
          case ONCE -> {
            assertThat(failure(call).facts().maybeDone()).isTrue();
            yield 1;
          }
        };
    assertThat(meeting.arrived(column.atFly()) - before).as("requests").isEqualTo(sent);
    assertThat(meeting.ending(column.action()).attempts()).isEqualTo(sent);
  }

  /** All at once, because each waits for a second at least. */
  @Test
  void tooManyRequestsAreWaitedOutByAll() throws Exception {
    List<Ready> all = new ArrayList<>();
    for (Column column : columns()) {
      all.add(column.scene().set(meeting));
    }
    meeting.forget();
    for (Column column : columns()) {
      meeting.fault("rate_limit", "\"times\":1,\"actions\":[\"" + column.atFly() + "\"]");
    }
    for (Future<?> call : all.stream().map(Ready::call).toList()) {
      value(call);
    }
    assertThat(meeting.answers(429)).isEqualTo(all.size());
    for (Column column : columns()) {
      FlyHooks.Ending ending = meeting.ending(column.action());
      assertThat(ending.outcome()).as("%s", column).isEqualTo(Outcome.OK);
      assertThat(ending.attempts()).as("%s", column).isEqualTo(2);
    }
  }

  /** Nothing was sent, so everything may be repeated, even what is never repeated else. */
  @Test
  void nobodyListens() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    FlyApp nowhere =
        meeting
            .client("http://127.0.0.1:" + free, FlySimConfig.TOKEN, config -> config)
            .app("nowhere");
    FlyMachine nothing = nowhere.machine("e286de4f711e86");
    Map<Action, Future<?>> calls =
        Map.of(
            Action.GET_MACHINE, nothing.get(),
            Action.CREATE_MACHINE, nowhere.create(meeting.order()),
            Action.START, nothing.start(),
            Action.STOP, nothing.stop(Stop.AS_CONFIGURED),
            Action.DELETE_MACHINE, nothing.delete(true),
            Action.ACQUIRE_LEASE, nothing.acquireLease(TTL, "ours"),
            Action.EXEC, nothing.exec(ExecCommand.of("true")));
    for (Map.Entry<Action, Future<?>> call : calls.entrySet()) {
      Unreachable unreachable = failure(Unreachable.class, call.getValue());
      assertThat(unreachable.sent()).isEqualTo(Unreachable.Sent.NO);
      assertThat(unreachable.facts().maybeDone()).isFalse();
      assertThat(meeting.ending(call.getKey()).attempts())
          .as(call.getKey().label())
          .isEqualTo(Meeting.BRISK.attempts());
    }
  }
}
