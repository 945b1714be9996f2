// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of the transition table: the way, the end, the events. */
class TransitionsTest {
  private final RecordingViewers viewers = new RecordingViewers();
  private final Stage stage = new Stage(viewers);

  @Test
  void createGoesThroughCreatedAndStartingToStarted() {
    Reply reply = stage.create(Stage.config(""));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().get("state").asText()).isEqualTo("created");
    assertThat(reply.body().get("id").asText()).matches("[0-9a-f]{14}");
    assertThat(reply.body().get("host_status").asText()).isEqualTo("ok");
    String id = reply.body().get("id").asText();
    stage.pass(0);
    assertThat(stage.state(id)).isIn("created", "starting");
    stage.pass(5);
    assertThat(stage.events(id))
        .containsExactly(
            "start/started/flyd",
            "start/starting/flyd",
            "launch/created/flyd",
            "launch/pending/user");
    assertThat(viewers.done).containsExactly("reserve", "start 2000");
  }

  @Test
  void skipLaunchRestsInStopped() {
    String id = skipLaunch();
    stage.pass(10);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(viewers.done).containsExactly("reserve");
    assertThat(stage.on(id, Action.START).status()).isEqualTo(200);
  }

  @Test
  void skipLaunchRestingInCreatedIsASwitch() {
    stage.switches("{\"skip_launch_rests_in\":\"created\"}");
    String id = skipLaunch();
    stage.pass(10);
    assertThat(stage.state(id)).isEqualTo("created");
    assertThat(stage.on(id, Action.START).status()).isEqualTo(200);
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("started");
  }

  private String skipLaunch() {
    return stage
        .create("{\"skip_launch\":true,\"config\":{\"image\":\"i\"}}")
        .body()
        .get("id")
        .asText();
  }

  @Test
  void firstBootOfAnImageInARegionIsCold() {
    stage.switches("{\"cold_image_first\":true}");
    String first = stage.create(Stage.config("")).body().get("id").asText();
    stage.pass(12);
    assertThat(stage.state(first)).isEqualTo("starting");
    stage.pass(5);
    assertThat(stage.state(first)).isEqualTo("started");
    String second = stage.create(Stage.config("")).body().get("id").asText();
    stage.pass(2);
    assertThat(stage.state(second)).isEqualTo("started");
  }

  @Test
  void stopSignalsAndThenExits() {
    String id = stage.started();
    assertThat(stage.on(id, Action.STOP, "{\"signal\":\"SIGTERM\",\"timeout\":\"20s\"}").body())
        .isEqualTo(Json.object().put("ok", true));
    assertThat(stage.state(id)).isEqualTo("stopping");
    stage.pass(2);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(stage.events(id)).startsWith("exit/stopped/flyd", "stop/stopping/user");
    assertThat(stage.on(id, Action.STOP).status()).as("again").isEqualTo(200);
  }

  @Test
  void aStopThatTakesTooLongIsAKill() {
    String id = stage.started();
    stage.latencies("{\"stop\":{\"p50_ms\":60000,\"p95_ms\":60000}}");
    stage.on(id, Action.STOP, "{\"timeout\":\"3s\"}");
    stage.pass(4);
    assertThat(stage.state(id)).isEqualTo("stopped");
  }

  @Test
  void suspendAndResume() {
    String id = stage.started();
    stage.on(id, Action.SUSPEND);
    assertThat(stage.state(id)).isEqualTo("suspending");
    stage.pass(3);
    assertThat(stage.state(id)).isEqualTo("suspended");
    assertThat(stage.events(id)).startsWith("suspend/suspended/flyd", "suspend/suspending/user");
    stage.on(id, Action.START);
    stage.pass(1);
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(stage.events(id)).startsWith("start/started/flyd", "start/starting/user");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {"\"init\":{\"swap_size_mb\":512}", "\"schedule\":\"daily\""})
  void swapAndScheduleForbidSuspend(String config) {
    String id = stage.started(config);
    assertThat(stage.on(id, Action.SUSPEND).status()).isEqualTo(412);
  }

  @Test
  void restartStopsAndStarts() {
    String id = stage.started();
    viewers.done.clear();
    stage.on(id, Action.RESTART);
    assertThat(stage.state(id)).isEqualTo("restarting");
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(stage.events(id))
        .startsWith("start/started/flyd", "exit/stopped/flyd", "restart/restarting/user");
    assertThat(viewers.done).containsExactly("stop", "start 2000");
  }

  @Test
  void rootFileSystemCanBeKept() {
    String id = stage.started("\"rootfs\":{\"persist\":\"always\"}");
    viewers.done.clear();
    stage.on(id, Action.STOP);
    stage.pass(5);
    assertThat(viewers.done).containsExactly("pause");
  }

  @Test
  void updateOfARunningMachineReplacesAndRestartsIt() {
    String id = stage.started("\"metadata\":{\"old\":\"1\"}");
    String before = stage.truth(id).get("instance_id").asText();
    String body = "{\"current_version\":\"%s\",\"config\":{\"image\":\"new:2\"}}".formatted(before);
    Reply reply = stage.on(id, Action.UPDATE, body);
    assertThat(reply.body().get("state").asText()).isEqualTo("replacing");
    assertThat(reply.body().at("/config/metadata")).as("replaced whole").isEmpty();
    assertThat(stage.on(id, Action.UPDATE, body).status()).as("outdated").isEqualTo(409);
    Reply second = stage.on(id, Action.UPDATE, Stage.config(""));
    assertThat(Stage.error(second))
        .isEqualTo("aborted: machine update failed due to concurrent update");
    stage.pass(20);
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(stage.events(id)).startsWith("start/started/flyd", "update/replacing/user");
    JsonNode versions = stage.on(id, Action.VERSIONS).body();
    assertThat(versions).hasSize(2);
    assertThat(versions.at("/1/version").asText()).isEqualTo(before);
    assertThat(versions.at("/0/user_config/image").asText()).isEqualTo("new:2");
  }

  @ParameterizedTest(name = "updated while {0}")
  @CsvSource({"stopped", "suspended"})
  void updateOfARestingMachineLeavesItStopped(String state) {
    String id = state.equals("stopped") ? stage.stopped() : stage.suspended();
    stage.on(id, Action.UPDATE, Stage.config(""));
    assertThat(stage.state(id)).isEqualTo("replacing");
    stage.pass(30);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(stage.events(id)).startsWith("update/stopped/flyd", "update/replacing/user");
  }

  @Test
  void nameAndRegionCannotBeUpdated() {
    String id = stage.started();
    assertThat(stage.on(id, Action.UPDATE, "{\"region\":\"syd\",\"config\":{\"image\":\"i\"}}"))
        .extracting(Reply::status)
        .isEqualTo(400);
  }

  @Test
  void deleteNeedsRestOrForce() {
    String id = stage.started();
    Reply refused = stage.on(id, Action.DELETE);
    assertThat(refused.status()).isEqualTo(412);
    assertThat(Stage.error(refused))
        .isEqualTo(
            "failed_precondition: unable to destroy machine,"
                + " not currently stopped, suspended, failed or created");
    Reply forced = stage.call(Action.DELETE, "machine=" + id + "?kill=true");
    assertThat(forced.body()).isEqualTo(Json.object().put("ok", true));
    assertThat(stage.state(id)).isEqualTo("destroying");
    stage.pass(5);
    assertThat(stage.events(id)).startsWith("destroy/destroyed/flyd", "destroy/destroying/user");
    assertThat(viewers.done).endsWith("release");
    assertThat(stage.on(id, Action.DELETE).status()).as("again").isEqualTo(200);
  }

  @Test
  void migrationKeepsTheIdAndChangesTheAddress() {
    String id = stage.started();
    String before = stage.truth(id).get("private_ip").asText();
    stage.control(Order.MIGRATE, id);
    stage.pass(5);
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(stage.truth(id).get("private_ip").asText()).isNotEqualTo(before);
    assertThat(stage.events(id)).startsWith("start/started/flyd", "launch/created/flyd");
  }

  @Test
  void deadHostKeepsTheStateAndAnswersNothing() {
    String id = stage.started("\"metadata\":{\"role\":\"pool\"}");
    stage.control(Order.HOST_DOWN, id);
    JsonNode seen = stage.on(id, Action.GET).body();
    assertThat(seen.get("state").asText()).isEqualTo("started");
    assertThat(seen.get("host_status").asText()).isEqualTo("unreachable");
    assertThat(seen.has("config")).isFalse();
    assertThat(seen.at("/incomplete_config/image").asText()).isEqualTo(Stage.IMAGE);
    assertThat(seen.get("incomplete_config").has("metadata")).isFalse();
    Future<Reply> stop = stage.sendTo(id, Action.STOP, "", "");
    stage.pass(29);
    assertThat(stop.isComplete()).isFalse();
    stage.pass(2);
    assertThat(stop.result().status()).isEqualTo(408);
    assertThat(viewers.done).endsWith("mode HANG");
    stage.control(Order.HOST_UP, id);
    assertThat(viewers.done).endsWith("mode READY");
    assertThat(stage.on(id, Action.GET).body().at("/config/metadata/role").asText())
        .isEqualTo("pool");
  }

  @Test
  void whatFellDueOnADeadHostHappensWhenItIsBack() {
    String id = stage.started();
    stage.on(id, Action.STOP);
    stage.control(Order.HOST_DOWN, id);
    stage.pass(60);
    assertThat(stage.state(id)).isEqualTo("stopping");
    stage.control(Order.HOST_UP, id);
    assertThat(stage.state(id)).isEqualTo("stopped");
  }

  @Test
  void checksPassOnceReadyAndFailWhenTheViewerHangs() {
    String id =
        stage
            .create(Stage.config("\"checks\":{\"guacd\":{\"type\":\"tcp\"}}"))
            .body()
            .get("id")
            .asText();
    stage.pass(1);
    assertThat(check(id)).isEqualTo("critical");
    stage.pass(5);
    assertThat(check(id)).isEqualTo("passing");
    stage.control(Order.VIEWER, id, "{\"mode\":\"hang\"}");
    assertThat(check(id)).isEqualTo("critical");
    assertThat(viewers.done).endsWith("mode HANG");
    assertThat(stage.control(Order.VIEWER, id, "{\"mode\":\"sulk\"}").status()).isEqualTo(400);
  }

  private String check(String id) {
    return stage.on(id, Action.GET).body().at("/checks/0/status").asText();
  }

  @Test
  void killSignalEndsTheProcessOthersDoNot() {
    String id = stage.started("\"restart\":{\"policy\":\"no\"}");
    assertThat(stage.on(id, Action.SIGNAL, "{\"signal\":\"SIGUSR1\"}").status()).isEqualTo(200);
    assertThat(stage.state(id)).isEqualTo("started");
    assertThat(stage.on(id, Action.SIGNAL, "{\"signal\":\"SIGSTOP\"}").status()).isEqualTo(400);
    assertThat(stage.on(id, Action.SIGNAL, "{\"signal\":9}").status()).isEqualTo(200);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(stage.truth(id).at("/events/0/request/exit_event/exit_code").asInt()).isEqualTo(137);
    assertThat(stage.on(id, Action.SIGNAL, "{\"signal\":\"SIGTERM\"}").status()).isEqualTo(412);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"command\":[\"sh\",\"-c\",\"true\"]} | 200 | sh -c true",
        "{\"cmd\":\"uptime -p\"} | 200 | sh -c uptime -p",
        "{\"command\":[\"true\"],\"timeout\":61} | 400 |",
        "{\"command\":[\"true\"],\"container\":\"a\",\"machine\":true} | 400 |",
        "{} | 400 |",
      })
  void exec(String body, int status, String ran) {
    String id = stage.started();
    Reply reply = stage.on(id, Action.EXEC, body);
    assertThat(reply.status()).isEqualTo(status);
    if (status == 200) {
      assertThat(viewers.done).endsWith("exec " + ran);
      assertThat(reply.body().get("exit_code").asInt()).isZero();
    }
  }

  @Test
  void execAndPsNeedARunningMachine() {
    String id = stage.stopped();
    Reply reply = stage.on(id, Action.EXEC, "{\"command\":[\"true\"]}");
    assertThat(reply.status()).isEqualTo(412);
    assertThat(Stage.error(reply)).isEqualTo("failed_precondition: machine not running");
    assertThat(stage.on(id, Action.PS).status()).isEqualTo(412);
  }

  @Test
  void cordonIsOnlyAMark() {
    String id = stage.started();
    stage.on(id, Action.CORDON);
    assertThat(stage.on(id, Action.GET).body().get("cordoned").asBoolean()).isTrue();
    assertThat(stage.state(id)).isEqualTo("started");
    stage.on(id, Action.UNCORDON);
    assertThat(stage.on(id, Action.GET).body().get("cordoned").asBoolean()).isFalse();
  }
}
