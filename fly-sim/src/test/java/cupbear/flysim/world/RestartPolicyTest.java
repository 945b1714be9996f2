// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invariant 8: what the restart policy brings back, and when it gives up. */
class RestartPolicyTest {
  private final Stage stage = new Stage();

  @ParameterizedTest(name = "policy {0}, exit {1}: {2}")
  @CsvSource({
    "always,     0, started",
    "always,     1, started",
    "on-failure, 0, stopped",
    "on-failure, 1, started",
    "no,         0, stopped",
    "no,         1, stopped",
    "'',         0, stopped",
    "'',         1, started"
  })
  void afterOneExit(String policy, int code, String state) {
    String id =
        stage.started(policy.isEmpty() ? "" : "\"restart\":{\"policy\":\"" + policy + "\"}");
    stage.control(Order.CRASH, id, "{\"exit_code\":" + code + "}");
    JsonNode exit = exit(id);
    assertThat(exit.get("exit_code").asInt()).isEqualTo(code);
    assertThat(exit.get("requested_stop").asBoolean()).isFalse();
    assertThat(exit.get("restarting").asBoolean()).isEqualTo(state.equals("started"));
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo(state);
  }

  @Test
  void aRequestedStopIsNotUndone() {
    String id = stage.started("\"restart\":{\"policy\":\"always\"}");
    stage.on(id, Action.STOP);
    stage.pass(30);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(exit(id).get("requested_stop").asBoolean()).isTrue();
  }

  @ParameterizedTest(name = "max_retries {0} gives {1} restarts")
  @CsvSource({"0, 10", "1, 1", "3, 3"})
  void onFailureGivesUpAfterItsRetries(int maxRetries, int restarts) {
    String id =
        stage.started("\"restart\":{\"policy\":\"on-failure\",\"max_retries\":" + maxRetries + "}");
    for (int i = 0; i < restarts; i++) {
      stage.control(Order.CRASH, id);
      stage.pass(5);
      assertThat(stage.state(id)).as("restart %d", i + 1).isEqualTo("started");
    }
    stage.control(Order.CRASH, id);
    assertThat(exit(id).get("restarting").asBoolean()).isFalse();
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("stopped");
  }

  @Test
  void retriesOlderThanFiveMinutesAreForgotten() {
    String id = stage.started("\"restart\":{\"policy\":\"on-failure\",\"max_retries\":1}");
    stage.control(Order.CRASH, id);
    stage.pass(301);
    stage.control(Order.CRASH, id);
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @Test
  void alwaysNeverGivesUp() {
    String id = stage.started("\"restart\":{\"policy\":\"always\",\"max_retries\":1}");
    for (int i = 0; i < 20; i++) {
      stage.control(Order.CRASH, id);
      stage.pass(5);
    }
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @Test
  void anOutOfMemoryKillIsSaidSo() {
    String id = stage.started("\"restart\":{\"policy\":\"no\"}");
    stage.control(Order.CRASH, id, "{\"oom\":true}");
    JsonNode exit = exit(id);
    assertThat(exit.get("oom_killed").asBoolean()).isTrue();
    assertThat(exit.get("exit_code").asInt()).isEqualTo(137);
    assertThat(exit.get("guest_exit_code").asInt()).isZero();
    assertThat(exit.get("exited_at").asText()).endsWith("Z");
  }

  @Test
  void whereTheExitPayloadStandsIsASwitch() {
    String id = stage.started("\"restart\":{\"policy\":\"no\"}");
    stage.switches("{\"exit_event_under\":\"monitor_event\"}");
    stage.control(Order.CRASH, id, "{\"exit_code\":5}");
    JsonNode request = stage.truth(id).at("/events/0/request");
    assertThat(request.at("/MonitorEvent/exit_event/exit_code").asInt()).isEqualTo(5);
    assertThat(request.has("exit_event")).isFalse();
  }

  @Test
  void autoDestroyEndsTheMachineAfterAnyExit() {
    String id = stage.started("\"auto_destroy\":true,\"restart\":{\"policy\":\"no\"}");
    stage.control(Order.CRASH, id, "{\"exit_code\":3}");
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("destroyed");
    assertThat(stage.events(id))
        .startsWith("destroy/destroyed/flyd", "destroy/destroying/flyd", "exit/stopped/flyd");
  }

  @Test
  void whatCannotBeBroughtUpHasExited() {
    RecordingViewers viewers = new RecordingViewers();
    Stage broken = new Stage(viewers);
    viewers.startFails = true;
    String id =
        broken.create(Stage.config("\"restart\":{\"policy\":\"no\"}")).body().get("id").asText();
    broken.pass(10);
    assertThat(broken.state(id)).isEqualTo("stopped");
    assertThat(broken.truth(id).at("/events/0/type").asText()).isEqualTo("exit");
  }

  private JsonNode exit(String id) {
    for (JsonNode event : stage.truth(id).get("events")) {
      if (event.get("type").asText().equals("exit")) {
        return event.at("/request/exit_event");
      }
    }
    throw new AssertionError("no exit among " + stage.truth(id).get("events"));
  }
}
