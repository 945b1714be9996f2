// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.config.CurrentSettings.Outcome;
import cupbear.scheduler.config.Origin;
import cupbear.scheduler.config.Problem;
import cupbear.scheduler.config.Reload;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see and steer. */
class OperatorApiIT {
  @TempDir Path folder;
  private House house;
  private Client operator;

  @BeforeEach
  void open() {
    house = new House(folder, Store.memory(StoreRules.DEFAULT));
    operator = as(Role.OPERATOR);
  }

  @AfterEach
  void close() {
    house.close();
  }

  private Client as(Role role) {
    return new Client(house.server.port(), house.token(role));
  }

  private JsonObject region(String code) {
    JsonObject pool = operator.get("/v1/pools/viewers").json();
    return pool.getJsonArray("regions").stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("region").equals(code))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void poolsShowTheirRegionsAndWhatIsInThem() {
    house.warm("m1", "m2");
    house.warm("m3", House.LHR);
    as(Role.GATEWAY).create("{\"pool\":\"viewers\",\"region\":\"iad\"}");
    assertThat(region("iad").getJsonObject("counts").getInteger("warm")).isEqualTo(1);
    assertThat(region("iad").getJsonObject("counts").getInteger("assigned")).isEqualTo(1);
    assertThat(region("lhr").getJsonObject("counts").getInteger("warm")).isEqualTo(1);
    assertThat(region("iad").getJsonObject("leader").getString("replica")).isEqualTo("a");
    assertThat(operator.get("/v1/pools").json().getJsonArray("pools")).hasSize(1);
    assertThat(operator.get("/v1/pools/none").problem()).isEqualTo("not-found");
  }

  @Test
  void plansOfRegionsThatAreLedElsewhereSayWhere() {
    JsonObject plans = operator.get("/v1/pools/viewers/plan?region=iad").json();
    assertThat(plans.getJsonArray("plans")).isEmpty();
    assertThat(plans.getJsonArray("elsewhere"))
        .containsExactly(new JsonObject().put("region", "iad").put("replica", "a"));
    assertThat(operator.get("/v1/pools/viewers/plan?region=nrt").status()).isEqualTo(404);
  }

  @Test
  void machinesAreListedByPageAndFilter() {
    house.warm("m1", "m2", "m3");
    house.warm("m4", House.LHR);
    JsonObject page = operator.get("/v1/machines?limit=2&region=iad").json();
    assertThat(page.getJsonArray("machines")).hasSize(2);
    JsonObject rest =
        operator
            .get("/v1/machines?limit=2&region=iad&cursor=" + page.getString("next_cursor"))
            .json();
    assertThat(rest.getJsonArray("machines")).hasSize(1);
    assertThat(rest.containsKey("next_cursor")).isFalse();
    assertThat(operator.get("/v1/machines?state=assigned").json().getJsonArray("machines"))
        .isEmpty();
    assertThat(operator.get("/v1/machines?state=odd&limit=0&colour=red").errors())
        .contains("state: must be one of", "limit: must be", "colour: is not known here");
  }

  @Test
  void aMachineTellsItsStoryWithWhoDidWhatAndWhy() {
    house.warm("m1");
    as(Role.GATEWAY).create("{\"pool\":\"viewers\"}");
    operator.post("/v1/machines/m1/cordon", "{\"reason\":\"odd noises\"}");
    JsonObject machine = operator.get("/v1/machines/m1").json();
    assertThat(machine.getString("state")).isEqualTo("assigned");
    assertThat(machine.getString("session")).startsWith("ses_viewers_");
    assertThat(machine.getBoolean("cordoned")).isTrue();
    String story = machine.getJsonArray("story").encode();
    assertThat(story).contains("enrolled", "proven", "granted", "odd noises", "\"by\":");
    assertThat(operator.get("/v1/machines/m9").problem()).isEqualTo("not-found");
  }

  @Test
  void aMachineThatIsGoneStillTellsItsStory() {
    house.warm("m1");
    house.forget("m1");
    JsonObject machine = operator.get("/v1/machines/m1").json();
    assertThat(machine.getString("state")).isEqualTo("gone");
    assertThat(machine.getString("region")).isEqualTo("iad");
    assertThat(machine.getJsonArray("story").encode()).contains("enrolled", "proven", "forgotten");
    assertThat(operator.get("/v1/machines?region=iad").json().getJsonArray("machines")).isEmpty();
  }

  @Test
  void whatTheLoopWroteIsPartOfTheStory() {
    house.warm("m1");
    house.write(EntryKind.PROBE_FAILED, "m1", Map.of("strike", "1 of 3"));
    house.write(EntryKind.ACTION_DOUBT, "m1", Map.of("reason", "unproven", "outcome", "done"));
    JsonArray story = operator.get("/v1/machines/m1").json().getJsonArray("story");
    JsonObject probe = story.getJsonObject(story.size() - 2);
    assertThat(probe.getString("kind")).isEqualTo("probe");
    assertThat(probe.getString("what")).isEqualTo("failed");
    assertThat(probe.getString("because")).isEqualTo("as the test says; 1 of 3");
    JsonObject outcome = story.getJsonObject(story.size() - 1);
    assertThat(outcome.getString("kind")).isEqualTo("outcome");
    assertThat(outcome.getString("reason")).isEqualTo("unproven");
  }

  @Test
  void aCordonedMachineIsGivenToNobodyUntilItIsUncordoned() {
    house.warm("m1");
    JsonObject done = operator.send("POST", "/v1/machines/m1/cordon", null).json();
    assertThat(done.getBoolean("applied")).isTrue();
    assertThat(operator.post("/v1/machines/m1/cordon", "{}").json().getBoolean("applied"))
        .isFalse();
    String body = "{\"pool\":\"viewers\",\"wait\":\"0s\"}";
    assertThat(as(Role.GATEWAY).create(body).problem()).isEqualTo("no-capacity");
    operator.post("/v1/machines/m1/uncordon", "{}");
    assertThat(as(Role.GATEWAY).create(body).status()).isEqualTo(201);
  }

  @Test
  void aDryRunDoesNothingAndSaysWhatWouldBeDone() {
    house.warm("m1", "m2");
    JsonObject done =
        operator.post("/v1/pools/viewers/regions/iad/drain?dry_run=true", "{}").json();
    assertThat(done.getBoolean("applied")).isFalse();
    assertThat(done.getJsonArray("machines")).containsExactly("m1", "m2");
    assertThat(region("iad").getBoolean("draining")).isFalse();
  }

  @Test
  void aRegionIsDrainedCordonedPausedAndBackAgain() {
    house.warm("m1");
    String path = "/v1/pools/viewers/regions/iad/";
    operator.post(path + "drain", "{}");
    operator.post(path + "cordon", "{}");
    operator.post(path + "pause", "{}");
    JsonObject closed = region("iad");
    assertThat(closed.getBoolean("draining")).isTrue();
    assertThat(closed.getBoolean("cordoned")).isTrue();
    assertThat(closed.getBoolean("paused")).isTrue();
    operator.post(path + "uncordon", "{}");
    operator.post(path + "resume", "{}");
    JsonObject opened = region("iad");
    assertThat(opened.getBoolean("draining")).isFalse();
    assertThat(opened.getBoolean("cordoned")).isFalse();
    assertThat(opened.getBoolean("paused")).isFalse();
    assertThat(operator.post("/v1/pools/viewers/regions/nrt/drain", "{}").status()).isEqualTo(404);
    Client.Reply wrong = operator.post(path + "drain?dry_run=yes", "{\"reason\":7}");
    assertThat(wrong.errors()).contains("dry_run: must be", "reason: must be");
  }

  @Test
  void signalsAreWrittenDownForWhoeverLeads() {
    String body = "{\"source\":\"%s\",\"pool\":\"viewers\",\"arrivals_per_minute\":%s}";
    Client.Reply taken = as(Role.GATEWAY).post("/v1/signals", body.formatted("cdn", "60"));
    assertThat(taken.status()).as(taken.text()).isEqualTo(202);
    assertThat(House.get(house.store().journal().after(House.POOL, "", 100)))
        .filteredOn(entry -> entry.kind().equals("signal.taken"))
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.region()).isEqualTo(House.IAD);
          assertThat(entry.data())
              .containsEntry("source", "cdn")
              .containsEntry("per_minute", "60.0")
              .containsEntry("valid_ms", "60000");
        });
    assertThat(
            operator
                .post("/v1/signals", body.formatted("cdn", "1").replace("viewers", "x"))
                .errors())
        .startsWith("pool: is not declared");
  }

  @Test
  void aReloadSaysWhatChangedWhatWaitsAndWhatIsWrong() {
    Client.Reply same = operator.send("POST", "/v1/config/reload", null);
    assertThat(same.json().getJsonArray("changed")).isEmpty();
    Reload.Change change = new Reload.Change("pools.viewers.regions.iad.warm_min", "2", "3");
    house.reload = new Outcome.Swapped(List.of(change));
    assertThat(operator.send("POST", "/v1/config/reload", null).json().getJsonArray("changed"))
        .containsExactly(change.path());
    house.reload = new Outcome.NeedsRestart(List.of(change));
    assertThat(
            operator.send("POST", "/v1/config/reload", null).json().getJsonArray("needs_restart"))
        .containsExactly(change.path());
    house.reload =
        new Outcome.Refused(
            List.of(
                new Problem(
                    new Origin.InFile("cupbear.yaml", 14, 3),
                    "pools.viewers.regions.iad.warm_max",
                    "1",
                    "must be at least warm_min",
                    null)));
    Client.Reply refused = operator.send("POST", "/v1/config/reload", null);
    assertThat(refused.problem()).isEqualTo("config-invalid");
    assertThat(refused.errors()).contains("warm_max", "cupbear.yaml:14");
  }

  @Test
  void aBugIsAnsweredWithItsTraceAndNothingElse() {
    house.bug = new RuntimeException("secret inner workings", null, false, false) {};
    Client.Reply reply = operator.send("POST", "/v1/config/reload", null);
    assertThat(reply.problem()).isEqualTo("internal-error");
    assertThat(reply.text()).doesNotContain("secret", "Exception", "cupbear.scheduler");
    assertThat(reply.header("traceparent")).contains(reply.json().getString("trace_id"));
  }

  @Test
  void healthSaysWhyNotOnBothListeners() {
    for (int port : new int[] {house.server.port(), house.server.opsPort()}) {
      Client anybody = new Client(port, null);
      assertThat(anybody.get("/livez").text()).isEqualTo("ok\n");
      assertThat(anybody.get("/readyz").text()).isEqualTo("ok\n");
      house.checks.put("store", false);
      assertThat(anybody.get("/readyz").status()).isEqualTo(503);
      assertThat(anybody.get("/readyz?verbose").text())
          .isEqualTo("[-] store reachable\n[+] accepting requests\nnot ready\n");
      house.checks.put("store", true);
    }
  }

  @Test
  void metricsAreOnTheOpsListenerAndNothingElseIs() {
    Client ops = new Client(house.server.opsPort(), house.token(Role.ADMIN));
    assertThat(ops.get("/metrics").text()).isEqualTo("warm_available 1\n");
    assertThat(ops.get("/v1/pools").status()).isEqualTo(404);
    assertThat(operator.get("/metrics").status()).isEqualTo(404);
  }

  @Test
  void itDescribesItselfWithoutAnythingFromElsewhere() {
    Client anybody = new Client(house.server.port(), null);
    Client.Reply docs = anybody.get("/docs");
    assertThat(docs.text()).contains("/v1/sessions", "Take a warm Machine", "no token needed");
    assertThat(docs.text()).doesNotContain("<script", "src=\"http", "url(");
    assertThat(docs.header("content-security-policy")).startsWith("default-src 'none'");
    assertThat(anybody.get("/openapi.yaml").text()).contains("openapi: 3.1");
    for (ProblemType each : ProblemType.values()) {
      assertThat(anybody.get(each.path()).text()).startsWith("# " + each.title);
    }
    assertThat(anybody.get("/problems/none-such").problem()).isEqualTo("not-found");
  }
}
