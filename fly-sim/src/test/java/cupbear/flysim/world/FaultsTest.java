// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.NoViewers;
import io.vertx.core.Future;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault does what it says, until it is cleared or used up. */
class FaultsTest {
  private static final String ANY = "{\"config\":{\"image\":\"i\"}}";
  private final Stage stage = new Stage();

  @Test
  void capacityRegion() {
    String id = stage.fault("{\"kind\":\"capacity.region\",\"region\":\"iad\"}");
    Reply reply = stage.create(ANY);
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body().get("status").asText()).isEqualTo("insufficient_capacity");
    assertThat(stage.create("{\"region\":\"lhr\",\"config\":{\"image\":\"i\"}}").status())
        .isEqualTo(200);
    assertThat(stage.control(Order.CLEAR_FAULT, id).status()).isEqualTo(204);
    assertThat(stage.create(ANY).status()).isEqualTo(200);
  }

  @Test
  void capacityHostRefusesAnUpdate() {
    String id = stage.started();
    stage.fault("{\"kind\":\"capacity.host\",\"machine\":\"" + id + "\"}");
    Reply reply = stage.on(id, Action.UPDATE, ANY);
    assertThat(reply.status()).isEqualTo(409);
    assertThat(Stage.error(reply)).contains("insufficient memory available to fulfill request");
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @ParameterizedTest(name = "of a {0} Machine")
  @CsvSource({"started", "stopped"})
  void capacityHostCanAcceptAndRevertAnUpdate(String state) {
    String id = state.equals("started") ? stage.started() : stage.stopped();
    String version = stage.truth(id).get("instance_id").asText();
    stage.fault("{\"kind\":\"capacity.host\",\"revert\":true,\"times\":1}");
    assertThat(stage.on(id, Action.UPDATE, "{\"config\":{\"image\":\"new\"}}").status())
        .isEqualTo(200);
    stage.pass(1);
    assertThat(stage.state(id)).isEqualTo(state);
    assertThat(stage.truth(id).get("instance_id").asText()).isEqualTo(version);
    assertThat(stage.truth(id).at("/config/image").asText()).isEqualTo(Stage.IMAGE);
    assertThat(stage.events(id)).startsWith("revert/stopped/flyd", "update/replacing/user");
  }

  @ParameterizedTest(name = "answered with {0}")
  @CsvSource({"408, 408", "504, 504", "reset, 0"})
  void ambiguousCreate(String answer, int status) {
    stage.fault("{\"kind\":\"ambiguous_create\",\"answer\":\"%s\",\"times\":1}".formatted(answer));
    Reply reply = stage.create("{\"name\":\"wp-1\",\"config\":{\"image\":\"i\"}}");
    assertThat(reply.status()).isEqualTo(status);
    JsonNode list = stage.call(Action.LIST, "").body();
    assertThat(list).hasSize(1);
    assertThat(list.at("/0/name").asText()).isEqualTo("wp-1");
  }

  @Test
  void emptyList() {
    stage.started();
    stage.fault("{\"kind\":\"empty_list\",\"actions\":[\"list\"]}");
    assertThat(stage.call(Action.LIST, "").body()).isEmpty();
    assertThat(stage.call(Action.LIST_ORG, "org=acme").body().get("machines")).hasSize(1);
  }

  @Test
  void partialList() {
    stage.started();
    stage.create("{\"region\":\"gru\",\"config\":{\"image\":\"i\"}}");
    stage.fault("{\"kind\":\"partial_list\",\"regions\":[\"gru\"]}");
    assertThat(stage.call(Action.LIST, "").body()).hasSize(1);
    JsonNode org = stage.call(Action.LIST_ORG, "org=acme").body();
    assertThat(org.get("machines")).hasSize(1);
    assertThat(org.at("/error_regions/0").asText()).isEqualTo("gru");
  }

  @Test
  void staleList() {
    stage.fault("{\"kind\":\"stale_list\",\"ms\":5000}");
    stage.create(ANY);
    assertThat(stage.call(Action.LIST, "").body()).isEmpty();
    stage.pass(6);
    assertThat(stage.call(Action.LIST, "").body()).hasSize(1);
  }

  @Test
  void rateLimit() {
    String id = stage.started();
    stage.fault("{\"kind\":\"rate_limit\",\"actions\":[\"get\"],\"times\":2}");
    Reply reply = stage.on(id, Action.GET);
    assertThat(reply.status()).isEqualTo(429);
    assertThat(Stage.error(reply)).isEqualTo("rate limit exceeded");
    assertThat(stage.on(id, Action.GET).status()).isEqualTo(429);
    assertThat(stage.on(id, Action.GET).status()).isEqualTo(200);
  }

  @Test
  void crashLoop() {
    stage.fault("{\"kind\":\"crash_loop\",\"exit_code\":7,\"after_ms\":500}");
    String id = stage.create(ANY).body().get("id").asText();
    stage.pass(60);
    assertThat(stage.state(id)).isEqualTo("stopped");
    assertThat(stage.truth(id).at("/events/0/request/exit_event/exit_code").asInt()).isEqualTo(7);
    assertThat(stage.truth(id).at("/events/0/request/restart_count").asInt()).isEqualTo(10);
  }

  @Test
  void launchFailed() {
    stage.fault("{\"kind\":\"launch_failed\"}");
    String id = stage.create(ANY).body().get("id").asText();
    stage.pass(10);
    assertThat(stage.state(id)).isEqualTo("destroyed");
    assertThat(stage.events(id)).startsWith("destroy/destroyed/flyd", "launch/launch_failed/flyd");
  }

  @Test
  void badImage() {
    stage.fault("{\"kind\":\"bad_image\",\"image\":\"viewer:1\",\"mode\":\"garbage\"}");
    String bad = stage.create("{\"config\":{\"image\":\"viewer:1\"}}").body().get("id").asText();
    String other = stage.create("{\"config\":{\"image\":\"viewer:2\"}}").body().get("id").asText();
    stage.pass(60);
    assertThat(stage.state(bad)).isEqualTo("started");
    assertThat(stage.truth(bad).at("/sim/viewer_mode").asText()).isEqualTo("garbage");
    assertThat(stage.truth(other).at("/sim/viewer_mode").asText()).isEqualTo("ready");
  }

  @Test
  void stuckCreated() {
    stage.fault("{\"kind\":\"stuck_created\",\"ms\":600000}");
    String id = stage.create(ANY).body().get("id").asText();
    stage.pass(300);
    assertThat(stage.state(id)).isEqualTo("created");
    stage.pass(400);
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @Test
  void manifestUnknown() {
    stage.fault("{\"kind\":\"manifest_unknown\",\"times\":1}");
    Reply reply = stage.create(ANY);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(Stage.error(reply))
        .startsWith("failed to get manifest")
        .contains("MANIFEST_UNKNOWN");
  }

  @Test
  void orgMachineLimit() {
    stage.fault("{\"kind\":\"org_machine_limit\",\"limit\":2}");
    stage.create(ANY);
    stage.create(ANY);
    Reply third = stage.create(ANY);
    assertThat(third.status()).isEqualTo(422);
    assertThat(Stage.error(third))
        .isEqualTo(
            "Your organization has reached its machine limit. Please contact billing@fly.io");
  }

  @Test
  void slow() {
    stage.fault("{\"kind\":\"slow\",\"ms\":7000}");
    Future<Reply> answer = stage.send(Action.REGIONS, "", "", "", "Bearer " + Stage.TOKEN);
    stage.pass(7);
    assertThat(answer.isComplete()).isFalse();
    stage.pass(1);
    assertThat(answer.result().status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "after the act: {0}")
  @CsvSource({"true, 1", "false, 0"})
  void serverErrorAndConnectionResetComeBeforeOrAfterTheAct(boolean after, int made) {
    stage.fault(
        "{\"kind\":\"server_error\",\"status\":502,\"after\":%s,\"times\":1}".formatted(after));
    assertThat(stage.create(ANY).status()).isEqualTo(502);
    assertThat(stage.call(Action.LIST, "").body()).hasSize(made);
    stage.fault("{\"kind\":\"connection_reset\",\"after\":%s,\"times\":1}".formatted(after));
    assertThat(stage.create(ANY).isHangUp()).isTrue();
    assertThat(stage.call(Action.LIST, "").body()).hasSize(2 * made);
  }

  @Test
  void serverErrorMayBePlainText() {
    stage.fault("{\"kind\":\"server_error\",\"plain_text\":true}");
    assertThat(stage.call(Action.LIST, "").body().isTextual()).isTrue();
  }

  @Test
  void unauthorized() {
    stage.fault("{\"kind\":\"unauthorized\"}");
    assertThat(stage.call(Action.LIST, "").status()).isEqualTo(401);
  }

  @Test
  void probabilityIsAShareOfTheCalls() {
    stage.fault("{\"kind\":\"server_error\",\"probability\":0.2}");
    long failed = 0;
    for (int i = 0; i < 1_000; i++) {
      failed += stage.call(Action.REGIONS, "").status() == 503 ? 1 : 0;
    }
    assertThat(failed).isBetween(150L, 250L);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"kind\":\"gremlins\"} | there are [capacity.region,",
        "{\"kind\":\"slow\",\"seconds\":1} | slow has no field 'seconds'",
        "{\"kind\":\"slow\",\"probability\":2} | probability",
        "{\"kind\":\"slow\",\"times\":-1} | times",
        "{\"kind\":\"slow\",\"actions\":[\"dance\"]} | no action is called 'dance'",
      })
  void aWrongFaultIsExplained(String json, String why) {
    Reply reply = stage.control(Order.ADD_FAULT, "", json);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(Stage.error(reply)).contains(why);
    assertThat(stage.control(Order.LIST_FAULTS, "").body()).isEmpty();
  }

  @Test
  void presetAndResetBringBackWhatWasThereAtTheStart() {
    Stage preset =
        new Stage(
            new NoViewers(),
            1,
            """
            {"faults":[{"kind":"capacity.region","region":"iad"}],
             "switches":{"lease_max_ttl_s":99},
             "latencies":{"create":{"p50_ms":1,"p95_ms":1}}}
            """);
    assertThat(preset.create(ANY).status()).isEqualTo(422);
    preset.control(Order.CLEAR_FAULTS, "");
    String id = preset.create(ANY).body().get("id").asText();
    assertThat(preset.control(Order.RESET, "").status()).isEqualTo(204);
    assertThat(preset.on(id, Action.GET).status()).isEqualTo(404);
    assertThat(preset.control(Order.LIST_FAULTS, "").body()).hasSize(1);
    assertThat(preset.control(Order.GET_SWITCHES, "").body().get("lease_max_ttl_s").asInt())
        .isEqualTo(99);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"fautls\":[]} | is unknown; there are faults",
        "{\"switches\":{\"nap\":true}} | nap",
        "{\"latencies\":{\"nap\":{}}} | no latency is called nap",
        "{\"latencies\":{\"list\":{\"p50_ms\":9,\"p95_ms\":1}}} | p50_ms <= p95_ms",
        "nonsense | not JSON",
      })
  void aWrongPresetStopsTheStart(String preset, String why) {
    assertThatThrownBy(() -> new Stage(new NoViewers(), 1, preset))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void everyFaultHasATestHere() {
    assertThat(Arrays.stream(Fault.Kind.values()).map(Fault.Kind::wireName))
        .as("a new fault needs a test above or in StartMatrixTest")
        .hasSize(20);
  }
}
