// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Invariant 4: who may do what while a lease is held, and the four lease calls. */
class LeaseMatrixTest {
  private final Stage stage = new Stage();

  @ParameterizedTest
  @EnumSource(
      value = Action.class,
      names = {"START", "UPDATE", "CORDON", "UNCORDON", "SUSPEND", "RESTART", "ACQUIRE_LEASE"})
  void refusedAtOnceWithoutTheNonce(Action action) {
    String id = stage.started();
    String nonce = acquire(id, 60);
    assertThat(stage.on(id, action, Stage.config("")).status()).isEqualTo(409);
    assertThat(stage.withNonce("000000000000", id, action, Stage.config("")).status())
        .as("with a wrong nonce")
        .isEqualTo(409);
    assertThat(stage.withNonce(nonce, id, action, Stage.config("")).status())
        .as("with the right one")
        .isBetween(200, 201);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"STOP, stopped", "DELETE, destroyed"})
  void stopAndDeleteBlockUntilTheLeaseEndsAndThenRun(Action action, String state) {
    String id = stage.started();
    acquire(id, 30);
    Future<Reply> answer = stage.sendTo(id, action, "?force=true", "");
    stage.pass(29);
    assertThat(answer.isComplete()).isFalse();
    assertThat(stage.state(id)).isEqualTo("started");
    stage.pass(10);
    assertThat(answer.result().status()).isEqualTo(200);
    assertThat(stage.state(id)).isEqualTo(state);
  }

  @Test
  void aReleaseFreesTheBlockedOnes() {
    String id = stage.started();
    String nonce = acquire(id, 3_600);
    Future<Reply> answer = stage.sendTo(id, Action.STOP, "", "");
    stage.pass(5);
    assertThat(answer.isComplete()).isFalse();
    stage.withNonce(nonce, id, Action.RELEASE_LEASE, "");
    stage.pass(5);
    assertThat(answer.isComplete()).isTrue();
    assertThat(stage.state(id)).isEqualTo("stopped");
  }

  @Test
  void aRefreshKeepsThemBlocked() {
    String id = stage.started();
    String nonce = acquire(id, 30);
    Future<Reply> answer = stage.sendTo(id, Action.STOP, "", "");
    stage.pass(20);
    stage.withNonce(nonce, id, Action.ACQUIRE_LEASE, "{\"ttl\":30}");
    stage.pass(20);
    assertThat(answer.isComplete()).isFalse();
    stage.pass(20);
    assertThat(answer.isComplete()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Action.class,
      names = {"STOP", "DELETE"})
  void refusingInsteadOfBlockingIsASwitch(Action action) {
    String id = stage.started();
    stage.switches("{\"stop_under_lease\":\"refuse\"}");
    acquire(id, 30);
    assertThat(stage.on(id, action).status()).isEqualTo(409);
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @ParameterizedTest(name = "{0} does not care")
  @CsvSource(
      delimiter = '|',
      value = {
        "PATCH_METADATA      | {\"metadata\":{\"a\":\"b\"}}",
        "PUT_METADATA        | {\"metadata\":{\"a\":\"b\"}}",
        "SET_METADATA_KEY    | {\"value\":\"b\"}",
        "DELETE_METADATA_KEY | ''",
        "GET                 | ''",
        "GET_METADATA        | ''",
        "WAIT                | ''",
        "EXEC                | {\"command\":[\"true\"]}",
        "EVENTS              | ''",
      })
  void notGuarded(Action action, String body) {
    String id = stage.started();
    acquire(id, 60);
    assertThat(stage.call(action, "machine=" + id + ";key=k", body).status()).isBetween(200, 204);
  }

  @Test
  void execUnderALeaseIsASwitch() {
    String id = stage.started();
    stage.switches("{\"exec_under_lease\":\"refuse\"}");
    String nonce = acquire(id, 60);
    String body = "{\"command\":[\"true\"]}";
    assertThat(stage.on(id, Action.EXEC, body).status()).isEqualTo(409);
    assertThat(stage.withNonce(nonce, id, Action.EXEC, body).status()).isEqualTo(200);
  }

  @Test
  void acquireReadRefreshRelease() {
    String id = stage.started();
    assertThat(stage.on(id, Action.GET_LEASE).status()).isEqualTo(404);
    Reply acquired =
        stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":30,\"description\":\"assign:s-1\"}");
    assertThat(acquired.status()).isEqualTo(201);
    JsonNode lease = acquired.body().get("data");
    assertThat(acquired.body().get("status").asText()).isEqualTo("success");
    assertThat(lease.get("nonce").asText()).matches("[0-9a-f]{12}");
    assertThat(lease.get("owner").asText()).isEqualTo("scheduler@tokens.fly.io");
    assertThat(lease.get("description").asText()).isEqualTo("assign:s-1");
    assertThat(lease.get("expires_at").asLong())
        .isBetween(stage.time.now().getEpochSecond() + 28, stage.time.now().getEpochSecond() + 30);
    assertThat(stage.on(id, Action.GET_LEASE).body().at("/data/owner").asText()).isNotEmpty();
    String nonce = lease.get("nonce").asText();
    stage.pass(20);
    Reply refreshed = stage.withNonce(nonce, id, Action.ACQUIRE_LEASE, "{\"ttl\":60}");
    assertThat(refreshed.status()).isEqualTo(201);
    assertThat(refreshed.body().at("/data/nonce").asText()).isEqualTo(nonce);
    stage.pass(30);
    assertThat(stage.on(id, Action.RELEASE_LEASE).status()).as("no nonce").isEqualTo(400);
    assertThat(stage.withNonce("x", id, Action.RELEASE_LEASE, "").status()).isEqualTo(409);
    Reply released = stage.withNonce(nonce, id, Action.RELEASE_LEASE, "");
    assertThat(released.body().toString())
        .isEqualTo("{\"status\":\"success\",\"data\":{\"ok\":true}}");
    assertThat(stage.withNonce(nonce, id, Action.RELEASE_LEASE, "").status())
        .as("twice")
        .isEqualTo(404);
  }

  @Test
  void lifeTimeMayStandInTheQueryAndEndsByItself() {
    String id = stage.started();
    assertThat(stage.call(Action.ACQUIRE_LEASE, "machine=" + id + "?ttl=5").status())
        .isEqualTo(201);
    stage.pass(6);
    assertThat(stage.on(id, Action.GET_LEASE).status()).isEqualTo(404);
  }

  @Test
  void refusalOnLeaseCallsHasItsOwnShape() {
    String id = stage.started();
    acquire(id, 60);
    Reply second = stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":5}");
    assertThat(second.body().get("status").asText()).isEqualTo("error");
    assertThat(second.body().get("message").asText())
        .startsWith("machine ID " + id + " lease currently held by scheduler@tokens.fly.io");
  }

  @Test
  void longestLeaseAndShapeAreSwitches() {
    String id = stage.started();
    stage.switches("{\"lease_max_ttl_s\":60,\"lease_shape\":\"flat\"}");
    assertThat(stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":61}").status()).isEqualTo(400);
    assertThat(stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":60}").body().has("nonce")).isTrue();
  }

  @Test
  void leaseTakenAtBirthReturnsItsNonceOnce() {
    Reply created = stage.create("{\"lease_ttl\":60,\"config\":{\"image\":\"i\"}}");
    String id = created.body().get("id").asText();
    String nonce = created.body().get("nonce").asText();
    stage.pass(10);
    assertThat(stage.on(id, Action.GET).body().has("nonce")).isFalse();
    assertThat(stage.on(id, Action.SUSPEND).status()).isEqualTo(409);
    assertThat(stage.withNonce(nonce, id, Action.SUSPEND, "").status()).isEqualTo(200);
  }

  @Test
  void leaseSurvivesAnUpdateAndIsSeenWithoutItsNonce() {
    String id = stage.started();
    String nonce = acquire(id, 600);
    stage.withNonce(nonce, id, Action.UPDATE, Stage.config(""));
    stage.pass(60);
    JsonNode seen = stage.call(Action.GET, "machine=" + id + "?include_leases=true").body();
    assertThat(seen.at("/lease/owner").asText()).isEqualTo("scheduler@tokens.fly.io");
    assertThat(seen.get("lease").has("nonce")).isFalse();
    assertThat(stage.on(id, Action.GET).body().has("lease")).isFalse();
  }

  private String acquire(String id, int ttl) {
    Reply reply = stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":" + ttl + "}");
    assertThat(reply.status()).isEqualTo(201);
    return reply.body().at("/data/nonce").asText();
  }
}
