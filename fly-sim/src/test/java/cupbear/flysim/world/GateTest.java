// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets in, and how often. */
class GateTest {
  private final Stage stage = new Stage();

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Bearer fm2_all             | 200",
        "FlyV1 fm2_all              | 200",
        "Bearer FlyV1 fm2_all       | 200",
        "FlyV1 fm2_x,fm2_all        | 200",
        "Bearer oauth-token         | 200",
        "Bearer fm2_pool            | 200",
        "Bearer fm2_other           | 403",
        "Bearer wrong               | 401",
        "fm2_all                    | 401",
        "''                         | 401",
      })
  void tokens(String header, int status) {
    Reply reply = stage.await(stage.send(Action.LIST, "", "", "", header));
    assertThat(reply.status()).isEqualTo(status);
    if (status == 401) {
      assertThat(reply.body().toString())
          .isEqualTo("{\"error\":\"Authenticate: token validation error\"}");
    }
  }

  @ParameterizedTest(name = "{0} {1} with {2}: {3}")
  @CsvSource({
    "GET_APP,    app=pool,    fm2_other, 403",
    "GET_APP,    app=free,    fm2_other, 404",
    "GET_APP,    app=second,  fm2_pool,  403",
    "GET_APP,    app=pool,    fm2_pool,  200",
    "LIST_ORG,   org=acme,    fm2_all,   200",
    "LIST_ORG,   org=acme,    fm2_pool,  403",
    "LIST_ORG,   org=globex,  fm2_all,   403",
    "LIST_APPS,  ?org_slug=globex, fm2_all, 403",
    "REGIONS,    '',          fm2_pool,  200",
    "CURRENT_TOKEN, '',       fm2_pool,  200"
  })
  void scopes(Action action, String target, String token, int status) {
    stage.call(Action.CREATE_APP, "", "{\"app_name\":\"second\",\"org_slug\":\"acme\"}");
    Reply reply = stage.await(stage.send(action, target, "", "", "Bearer " + token));
    assertThat(reply.status()).isEqualTo(status);
  }

  @Test
  void appTokenCreatesNoApps() {
    Reply reply =
        stage.await(stage.send(Action.CREATE_APP, "", "{\"name\":\"x\"}", "", "Bearer fm2_pool"));
    assertThat(reply.status()).isEqualTo(403);
  }

  @Test
  void appsAreCreatedOnceAndDeletedWithAllTheyHold() {
    Reply made = stage.call(Action.CREATE_APP, "", "{\"name\":\"two\",\"network\":\"n\"}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().has("id")).isTrue();
    Reply again = stage.call(Action.CREATE_APP, "", "{\"name\":\"two\"}");
    assertThat(again.status()).isEqualTo(422);
    assertThat(again.body().get("status").asText()).isEqualTo("name_taken");
    stage.call(Action.CREATE, "app=two", "{\"config\":{\"image\":\"i\"}}");
    assertThat(stage.call(Action.GET_APP, "app=two").body().get("machine_count").asInt()).isOne();
    assertThat(stage.call(Action.DELETE_APP, "app=two").status()).isEqualTo(202);
    assertThat(stage.call(Action.LIST, "app=two").status()).isEqualTo(404);
    assertThat(stage.call(Action.LIST_APPS, "").body().get("total_apps").asInt()).isOne();
  }

  @Test
  void everyActionButGetHasABurstOfThreeAndOneASecond() {
    String id = stage.started();
    instantCalls();
    assertThat(burst(Action.GET_METADATA, id, 5)).isEqualTo("200 200 200 429 429");
    stage.pass(1);
    assertThat(burst(Action.GET_METADATA, id, 2)).isEqualTo("200 429");
    assertThat(burst(Action.GET_LEASE, id, 1)).as("another action").isEqualTo("404");
    stage.pass(60);
    assertThat(burst(Action.GET_METADATA, id, 4)).isEqualTo("200 200 200 429");
  }

  @Test
  void getMachineHasABurstOfTenAndFiveASecond() {
    String id = stage.started();
    instantCalls();
    assertThat(burst(Action.GET, id, 11)).endsWith("200 429");
    stage.pass(1);
    assertThat(burst(Action.GET, id, 6)).isEqualTo("200 200 200 200 200 429");
  }

  @Test
  void limitsArePerMachineAndForListAndCreatePerApp() {
    String one = stage.started();
    String two = stage.started();
    instantCalls();
    assertThat(burst(Action.START, one, 4)).isEqualTo("200 200 200 429");
    assertThat(burst(Action.START, two, 3)).isEqualTo("200 200 200");
    assertThat(burst(Action.LIST, "", 4)).isEqualTo("200 200 200 429");
  }

  @Test
  void bothSpellingsOfTheMetadataMergeShareABucket() {
    String id = stage.started();
    instantCalls();
    String body = "{\"metadata\":{}}";
    stage.on(id, Action.PATCH_METADATA, body);
    stage.on(id, Action.PUT_METADATA, body);
    stage.on(id, Action.PATCH_METADATA, body);
    assertThat(stage.on(id, Action.PUT_METADATA, body).status()).isEqualTo(429);
  }

  @Test
  void ratesCanBeRaised() {
    String id = stage.started();
    instantCalls();
    stage.switches("{\"rate_limit_factor\":10}");
    burst(Action.GET_METADATA, id, 3);
    stage.time.pass(Duration.ofMillis(100));
    assertThat(burst(Action.GET_METADATA, id, 2)).isEqualTo("200 429");
  }

  /** Limits on, and calls that take no time, so that no bucket fills meanwhile. */
  private void instantCalls() {
    stage.switches("{\"rate_limits\":true}");
    stage.latencies(
        """
        {"call":{"p50_ms":0,"p95_ms":0},"read":{"p50_ms":0,"p95_ms":0},
         "list":{"p50_ms":0,"p95_ms":0}}
        """);
  }

  private String burst(Action action, String id, int calls) {
    StringBuilder statuses = new StringBuilder();
    for (int i = 0; i < calls; i++) {
      statuses.append(stage.on(id, action).status()).append(' ');
    }
    return statuses.toString().strip();
  }
}
