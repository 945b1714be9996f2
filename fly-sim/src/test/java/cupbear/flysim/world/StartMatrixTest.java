// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invariant 5: what a start answers, from every state. */
class StartMatrixTest {
  private static final String STUCK_BOOT = "{\"boot_cached\":{\"p50_ms\":60000,\"p95_ms\":60000}}";

  static Stream<Arguments> rows() {
    return Stream.of(
        row(
            "created, unpacking",
            StartMatrixTest::created,
            412,
            "failed_precondition: unable to start machine from current state: 'created'"),
        row(
            "replacing",
            StartMatrixTest::replacing,
            412,
            "failed_precondition: machine getting replaced, refusing to start"),
        row(
            "stopped, still reaped",
            StartMatrixTest::justStopped,
            412,
            "failed_precondition: machine still active, refusing to start"),
        row(
            "starting",
            StartMatrixTest::starting,
            409,
            "aborted: machine still attempting to start"),
        row(
            "destroyed",
            StartMatrixTest::destroyed,
            412,
            "failed_precondition: unable to start machine from current state: 'destroyed'"),
        row(
            "host full",
            StartMatrixTest::hostFull,
            409,
            "aborted: could not reserve resource for machine: insufficient CPUs available to"
                + " fulfill request on the current host"),
        row("started", Stage::started, 200, ""),
        row("stopped", Stage::stopped, 200, ""),
        row("suspended", Stage::suspended, 200, ""),
        row("suspending", StartMatrixTest::suspending, 200, ""));
  }

  private static Arguments row(
      String name, Function<Stage, String> machine, int status, String error) {
    return Arguments.of(name, machine, status, error);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("rows")
  void startMatrix(String name, Function<Stage, String> machine, int status, String error) {
    Stage stage = new Stage();
    String id = machine.apply(stage);
    String before = stage.state(id);
    Reply reply = stage.on(id, Action.START);
    assertThat(reply.status()).as("%s", reply).isEqualTo(status);
    assertThat(Stage.error(reply)).isEqualTo(error);
    if (status == 200) {
      assertThat(reply.body().get("previous_state").asText()).isEqualTo(before);
      assertThat(reply.body().get("migrated").asBoolean()).isFalse();
      assertThat(reply.body().get("new_host").asText()).isEmpty();
      stage.pass(5);
      assertThat(stage.state(id)).isEqualTo("started");
    }
  }

  @Test
  void leasedByAnotherIsAConflict() {
    Stage stage = new Stage();
    String id = stage.stopped();
    stage.control(Order.HOLD_LEASE, id, "{\"owner\":\"bob\",\"ttl\":60}");
    Reply reply = stage.on(id, Action.START);
    assertThat(reply.status()).isEqualTo(409);
    assertThat(Stage.error(reply))
        .matches("machine ID " + id + " lease currently held by bob, expires at 2026-09-01T.*Z");
  }

  @Test
  void startOnStartedIsASwitch() {
    Stage stage = new Stage();
    String id = stage.started();
    stage.switches("{\"start_on_started\":\"refuse\"}");
    assertThat(stage.on(id, Action.START).status()).isEqualTo(409);
  }

  @Test
  void startAfterUpdateCanBeAcceptedAndLost() {
    Stage stage = new Stage();
    String id = stage.stopped();
    stage.on(id, Action.UPDATE, Stage.config(""));
    stage.fault("{\"kind\":\"start_lost\",\"times\":1}");
    Reply reply = stage.on(id, Action.START);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().get("previous_state").asText()).isEqualTo("replacing");
    stage.pass(60);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(stage.on(id, Action.START).status()).isEqualTo(200);
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @Test
  void startCanMoveTheMachineToAnotherHost() {
    Stage stage = new Stage();
    String id = stage.stopped();
    String before = stage.truth(id).get("private_ip").asText();
    stage.fault("{\"kind\":\"start_migrates\",\"times\":1}");
    Reply reply = stage.on(id, Action.START);
    assertThat(reply.body().get("migrated").asBoolean()).isTrue();
    assertThat(reply.body().get("new_host").asText()).isNotEmpty();
    assertThat(stage.truth(id).get("private_ip").asText()).isNotEqualTo(before);
  }

  @Test
  void startCanFailInsideATwoHundred() {
    Stage stage = new Stage();
    String id = stage.stopped();
    stage.fault("{\"kind\":\"start_error\",\"message\":\"no luck\",\"times\":1}");
    Reply reply = stage.on(id, Action.START);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().get("status").asText()).isEqualTo("error");
    assertThat(reply.body().get("message").asText()).isEqualTo("no luck");
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("stopped");
  }

  private static String created(Stage stage) {
    stage.latencies(STUCK_BOOT);
    return stage.create(Stage.config("")).body().get("id").asText();
  }

  private static String replacing(Stage stage) {
    String id = stage.stopped();
    stage.on(id, Action.UPDATE, Stage.config(""));
    return id;
  }

  private static String justStopped(Stage stage) {
    String id = stage.started();
    stage.latencies("{\"reap\":{\"p50_ms\":3000,\"p95_ms\":3000}}");
    stage.on(id, Action.STOP);
    stage.pass(2);
    assertThat(stage.state(id)).isEqualTo("stopped");
    return id;
  }

  private static String starting(Stage stage) {
    String id = stage.stopped();
    stage.latencies("{\"start\":{\"p50_ms\":9000,\"p95_ms\":9000}}");
    stage.on(id, Action.START);
    return id;
  }

  private static String destroyed(Stage stage) {
    String id = stage.stopped();
    stage.on(id, Action.DELETE);
    stage.pass(5);
    return id;
  }

  private static String hostFull(Stage stage) {
    String id = stage.stopped();
    stage.fault("{\"kind\":\"capacity.host\",\"machine\":\"" + id + "\"}");
    return id;
  }

  private static String suspending(Stage stage) {
    String id = stage.started();
    stage.latencies("{\"suspend\":{\"p50_ms\":20000,\"p95_ms\":20000}}");
    stage.on(id, Action.SUSPEND);
    return id;
  }
}
