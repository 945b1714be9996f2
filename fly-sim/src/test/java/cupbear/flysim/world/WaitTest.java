// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invariant 6: the long poll. */
class WaitTest {
  private final Stage stage = new Stage();

  @Test
  void answersAtOnceWhenAlreadyThere() {
    String id = stage.started();
    Reply reply = stage.on(id, Action.WAIT);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().get("ok").asBoolean()).isTrue();
    assertThat(reply.body().get("state").asText()).isEqualTo("started");
    assertThat(reply.body().get("version").asText())
        .isEqualTo(stage.truth(id).get("instance_id").asText());
    assertThat(reply.body().get("event_id").asText())
        .isEqualTo(stage.truth(id).at("/events/0/id").asText());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "?state=stopped&state=suspended, stopped",
    "'?state=suspended,stopped', stopped",
    "?state=settled&from_event_id=LAST, stopped",
  })
  void answersWhenOneOfTheStatesIsReached(String query, String state) {
    String id = stage.started();
    String last = stage.truth(id).at("/events/0/id").asText();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, query.replace("LAST", last), "");
    stage.pass(1);
    assertThat(answer.isComplete()).isFalse();
    stage.on(id, Action.STOP);
    assertThat(stage.await(answer).body().get("state").asText()).isEqualTo(state);
  }

  @Test
  void timesOutWith408AndSaysWhereItStands() {
    String id = stage.stopped();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, "?timeout=5", "");
    stage.pass(4);
    assertThat(answer.isComplete()).isFalse();
    stage.pass(2);
    assertThat(answer.result().status()).isEqualTo(408);
    assertThat(Stage.error(answer.result()))
        .isEqualTo(
            "deadline_exceeded: machine failed to reach desired state, started, currently stopped");
  }

  @Test
  void waitsSixtySecondsUnlessTold() {
    String id = stage.stopped();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, "", "");
    stage.pass(59);
    assertThat(answer.isComplete()).isFalse();
    stage.pass(2);
    assertThat(answer.result().status()).isEqualTo(408);
  }

  @ParameterizedTest(name = "{0} is refused")
  @CsvSource({"?timeout=61", "?timeout=0", "?timeout=soon", "?state=created", "?state=happy"})
  void badParameters(String query) {
    String id = stage.started();
    assertThat(stage.call(Action.WAIT, "machine=" + id + query).status()).isEqualTo(400);
  }

  @Test
  void pinnedToAVersionThatIsReplaced() {
    String id = stage.started();
    String old = stage.truth(id).get("instance_id").asText();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, "?state=stopped&version=" + old, "");
    stage.on(id, Action.UPDATE, Stage.config(""));
    assertThat(stage.await(answer).status()).isEqualTo(409);
    assertThat(Stage.error(answer.result())).contains("currently replaced");
    Reply late = stage.call(Action.WAIT, "machine=" + id + "?instance_id=" + old);
    assertThat(Stage.error(late)).contains("currently replaced");
    assertThat(stage.call(Action.WAIT, "machine=" + id + "?version=01X").status()).isEqualTo(404);
  }

  @Test
  void onlyWhatComesAfterTheEventCounts() {
    String id = stage.started();
    String last = stage.truth(id).at("/events/0/id").asText();
    Future<Reply> answer =
        stage.sendTo(id, Action.WAIT, "?state=started&from_event_id=" + last, "");
    stage.pass(1);
    assertThat(answer.isComplete()).as("it was started before").isFalse();
    stage.on(id, Action.RESTART);
    Reply reply = stage.await(answer);
    assertThat(reply.body().get("state").asText()).isEqualTo("started");
    assertThat(reply.body().get("event_id").asText()).isGreaterThan(last);
  }

  @Test
  void whatCannotHappenAnyMoreIsAConflictAtOnce() {
    String id = stage.started();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, "?state=suspended", "");
    Future<Reply> end = stage.sendTo(id, Action.WAIT, "?state=destroyed", "");
    stage.pass(1);
    stage.call(Action.DELETE, "machine=" + id + "?force=true");
    assertThat(stage.await(answer).status()).isEqualTo(409);
    assertThat(stage.await(end).body().get("state").asText()).isEqualTo("destroyed");
    assertThat(stage.on(id, Action.WAIT).status()).isEqualTo(409);
  }

  @Test
  void settledIsAnyRestingStateAndCreatedIsNone() {
    stage.latencies("{\"boot_cached\":{\"p50_ms\":9000,\"p95_ms\":9000}}");
    String id =
        stage
            .create("{\"skip_launch\":true,\"config\":{\"image\":\"i\"}}")
            .body()
            .get("id")
            .asText();
    Future<Reply> answer = stage.sendTo(id, Action.WAIT, "?state=settled", "");
    assertThat(stage.state(id)).isEqualTo("created");
    assertThat(stage.await(answer).body().get("state").asText()).isEqualTo("stopped");
  }
}
