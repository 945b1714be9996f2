// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What must hold whatever else is simulated, one test per invariant. The lease matrix (4), the
 * start matrix (5), waits (6) and restart policies (8) have tests of their own beside this one.
 */
class InvariantsTest {
  private final Stage stage = new Stage();

  @Test
  void invariant01NamesAreUniquePerAppAmongLiveMachines() {
    String named = "{\"name\":\"wp-1\",\"config\":{\"image\":\"i\"}}";
    String id = stage.create(named).body().get("id").asText();
    Reply again = stage.create(named);
    assertThat(again.status()).isEqualTo(409);
    assertThat(Stage.error(again))
        .isEqualTo(
            "already_exists: unique machine name violation, machine ID "
                + id
                + " already exists with name \"wp-1\"");
    stage.call(Action.CREATE_APP, "", "{\"name\":\"second\",\"org_slug\":\"acme\"}");
    assertThat(stage.call(Action.CREATE, "app=second", named).status()).isEqualTo(200);
    stage.latencies("{\"destroy\":{\"p50_ms\":4000,\"p95_ms\":4000}}");
    stage.call(Action.DELETE, "machine=" + id + "?force=true");
    assertThat(stage.create(named).status()).as("while destroying").isEqualTo(409);
    stage.pass(5);
    assertThat(stage.create(named).status()).as("once destroyed").isEqualTo(200);
  }

  @Test
  void invariant02InstanceIdChangesOnlyOnCreateAndUpdate() {
    String id = stage.started();
    String first = version(id);
    stage.on(id, Action.PATCH_METADATA, "{\"metadata\":{\"a\":\"b\"}}");
    stage.on(id, Action.STOP);
    stage.pass(9);
    stage.on(id, Action.START);
    stage.pass(9);
    stage.on(id, Action.SUSPEND);
    stage.pass(9);
    stage.on(id, Action.START);
    stage.pass(9);
    stage.on(id, Action.RESTART);
    stage.pass(9);
    stage.control(Order.MIGRATE, id);
    stage.pass(9);
    stage.control(Order.CRASH, id);
    stage.pass(9);
    assertThat(version(id)).isEqualTo(first);
    stage.on(id, Action.UPDATE, Stage.config(""));
    assertThat(version(id)).isNotEqualTo(first).hasSize(26);
  }

  @Test
  void invariant03MetadataMergesAndIsFencedByTheVersionOnly() {
    String id = stage.started("\"metadata\":{\"keep\":\"1\",\"drop\":\"2\",\"blank\":\"3\"}");
    String fenced =
        "{\"metadata\":{\"drop\":null,\"blank\":\"\",\"new\":\"4\"},\"machine_version\":\"%s\"}";
    assertThat(stage.on(id, Action.PATCH_METADATA, fenced.formatted(version(id))).status())
        .isEqualTo(204);
    assertThat(stage.on(id, Action.GET_METADATA).body())
        .isEqualTo(Json.object().put("keep", "1").put("new", "4"));
    assertThat(stage.on(id, Action.PUT_METADATA, fenced.formatted(version(id))).status())
        .as("the second writer with the same version also succeeds")
        .isEqualTo(204);
    Reply stale = stage.on(id, Action.PATCH_METADATA, fenced.formatted("01OLD"));
    assertThat(stale.status()).isEqualTo(412);
    assertThat(Stage.error(stale)).startsWith("failed_precondition: ");
    assertThat(stage.state(id)).isEqualTo("started");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[]",
        "{\"metadata\":[]}",
        "{\"metadata\":{\"a\":1}}",
        "{\"metadata\":",
        "{}",
      })
  void malformedMetadataIsRefusedWhole(String body) {
    String id = stage.started();
    assertThat(stage.on(id, Action.PATCH_METADATA, body).status()).isEqualTo(400);
    assertThat(stage.on(id, Action.GET_METADATA).body()).isEmpty();
  }

  @Test
  void metadataKeysOneByOne() {
    String id = stage.started();
    String key = "machine=" + id + ";key=pool";
    assertThat(stage.call(Action.GET_METADATA_KEY, key).status()).isEqualTo(404);
    assertThat(stage.call(Action.SET_METADATA_KEY, key, "{\"value\":\"warm\"}").status())
        .isEqualTo(204);
    assertThat(stage.call(Action.GET_METADATA_KEY, key).body())
        .isEqualTo(Json.object().put("value", "warm"));
    assertThat(stage.call(Action.DELETE_METADATA_KEY, key).status()).isEqualTo(204);
    assertThat(stage.call(Action.GET_METADATA_KEY, key).status()).isEqualTo(404);
    assertThat(stage.call(Action.SET_METADATA_KEY, key, "{\"value\":7}").status()).isEqualTo(400);
  }

  @Test
  void metadataWhileReplacingIsASwitch() {
    String id = stage.started();
    stage.on(id, Action.UPDATE, Stage.config(""));
    String body = "{\"metadata\":{\"a\":\"b\"}}";
    assertThat(stage.on(id, Action.PATCH_METADATA, body).status()).isEqualTo(204);
    stage.switches("{\"metadata_while_replacing\":\"refuse\"}");
    assertThat(stage.on(id, Action.PATCH_METADATA, body).status()).isEqualTo(412);
  }

  @Test
  void invariant07EventsNewestFirstFiveEmbeddedFiftyKept() {
    String id = stage.started("\"restart\":{\"policy\":\"always\"}");
    for (int i = 0; i < 30; i++) {
      stage.control(Order.CRASH, id);
      stage.pass(5);
    }
    JsonNode all = stage.call(Action.EVENTS, "machine=" + id + "?limit=1000").body();
    assertThat(all).hasSize(50);
    List<String> ids = new ArrayList<>();
    all.forEach(event -> ids.add(event.get("id").asText()));
    assertThat(ids).isSortedAccordingTo((a, b) -> b.compareTo(a)).doesNotHaveDuplicates();
    assertThat(stage.on(id, Action.EVENTS).body()).as("without a limit").hasSize(20);
    assertThat(stage.on(id, Action.GET).body().get("events")).hasSize(5);
    assertThat(stage.on(id, Action.GET).body().at("/events/0/id").asText())
        .isEqualTo(ids.getFirst());
    assertThat(all.at("/0/timestamp").asLong()).isGreaterThan(1_700_000_000_000L);
  }

  @Test
  void invariant09RootFileSystemIsFreshAfterStopAndKeptOnSuspend() {
    RecordingViewers viewers = new RecordingViewers();
    Stage inside = new Stage(viewers);
    String id = inside.started();
    inside.on(id, Action.SUSPEND);
    inside.pass(9);
    inside.on(id, Action.START);
    inside.pass(9);
    assertThat(viewers.done).doesNotContain("stop").containsSequence("pause", "pause", "start 0");
    viewers.done.clear();
    inside.on(id, Action.STOP);
    inside.pass(9);
    inside.on(id, Action.START);
    inside.pass(9);
    assertThat(viewers.done).containsExactly("stop", "start 2000");
  }

  @Test
  void stopOfASuspendedMachineDiscardsTheSnapshot() {
    RecordingViewers viewers = new RecordingViewers();
    Stage inside = new Stage(viewers);
    String id = inside.suspended();
    viewers.done.clear();
    inside.on(id, Action.STOP);
    assertThat(inside.state(id)).isEqualTo("stopped");
    assertThat(viewers.done).containsExactly("stop");
  }

  @Test
  void lostSnapshotBootsCold() {
    RecordingViewers viewers = new RecordingViewers();
    Stage inside = new Stage(viewers);
    String id = inside.suspended();
    inside.switches("{\"cold_resume_rate\":1}");
    viewers.done.clear();
    inside.on(id, Action.START);
    inside.pass(9);
    assertThat(viewers.done).containsExactly("stop", "start 2000");
  }

  @Test
  void invariant10DestroyedMachinesAnswerGetForAWhileAndLeaveTheList() {
    stage.switches("{\"destroyed_retention_s\":100}");
    String id = stage.stopped();
    stage.on(id, Action.DELETE);
    stage.pass(10);
    Reply get = stage.on(id, Action.GET);
    assertThat(get.status()).isEqualTo(200);
    assertThat(get.body().get("state").asText()).isEqualTo("destroyed");
    assertThat(stage.call(Action.LIST, "").body()).isEmpty();
    assertThat(stage.call(Action.LIST, "?include_deleted=true").body()).hasSize(1);
    stage.pass(100);
    assertThat(stage.on(id, Action.GET).status()).isEqualTo(404);
    assertThat(stage.call(Action.LIST, "?include_deleted=true").body()).isEmpty();
  }

  @Test
  void invariant11DnsListsOnlyStartedMachines() {
    String started = stage.started("\"metadata\":{\"pool_state\":\"warm\"}");
    String stopped = stage.stopped();
    String hidden = stage.started("\"dns\":{\"skip_registration\":true}");
    String ip = stage.truth(started).get("private_ip").asText();
    for (String name :
        List.of(
            "pool.internal",
            "global.pool.internal",
            "iad.pool.internal",
            "top3.nearest.of.pool.internal",
            started + ".vm.pool.internal",
            "warm.pool_state.kv._metadata.pool.internal")) {
      assertThat(answers(name)).as(name).containsExactly(ip);
    }
    assertThat(answers(stopped + ".vm.pool.internal")).isEmpty();
    assertThat(answers("lhr.pool.internal")).isEmpty();
    assertThat(answers("vms.pool.internal")).containsExactly(started + " iad");
    assertThat(answers("all.vms.pool.internal"))
        .containsExactly(started + " iad," + stopped + " iad," + hidden + " iad");
    assertThat(answers("regions.pool.internal")).containsExactly("iad");
    assertThat(answers("_apps.internal")).containsExactly("pool");
    assertThat(stage.control(Order.DNS, "nobody.example").status()).isEqualTo(404);
  }

  @ParameterizedTest(name = "autostop {0} is echoed as {1}")
  @CsvSource({
    "'\"off\"', false",
    "'\"stop\"', true",
    "'\"suspend\"', '\"suspend\"'",
    "true, true",
    "false, false"
  })
  void invariant12AutostopIsEchoedAsBooleanForOffAndStop(String given, String echoed) {
    String id = stage.started("\"services\":[{\"internal_port\":80,\"autostop\":" + given + "}]");
    assertThat(stage.on(id, Action.GET).body().at("/config/services/0/autostop").toString())
        .isEqualTo(echoed);
  }

  @ParameterizedTest(name = "\"{0}\" lands in one of {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''         | iad",
        "lhr        | lhr",
        "lhr,eu     | lhr",
        "apac       | bom,nrt,sin,syd",
        "eu         | ams,arn,cdg,fra,lhr",
        "na         | dfw,ewr,iad,lax,ord,sjc,yyz",
        "sa         | gru",
        "us         | dfw,ewr,iad,lax,ord,sjc",
        "usa        | dfw,ewr,iad,lax,ord,sjc",
        "jnb,us     | jnb",
      })
  void invariant13RegionListsAndAliasesAreResolvedAtCreate(String wish, String landed) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Reply reply =
          stage.create("{\"region\":\"%s\",\"config\":{\"image\":\"i\"}}".formatted(wish));
      seen.add(reply.body().get("region").asText());
    }
    assertThat(seen).containsExactlyInAnyOrder(landed.split(","));
  }

  @Test
  void anyRegionIsAnyAndAFullOneIsPassedOver() {
    stage.fault("{\"kind\":\"capacity.region\",\"region\":\"lhr\"}");
    Reply reply = stage.create("{\"region\":\"lhr,cdg\",\"config\":{\"image\":\"i\"}}");
    assertThat(reply.body().get("region").asText()).isEqualTo("cdg");
    assertThat(stage.create("{\"region\":\"any\",\"config\":{\"image\":\"i\"}}").status())
        .isEqualTo(200);
    Reply unknown = stage.create("{\"region\":\"atl\",\"config\":{\"image\":\"i\"}}");
    assertThat(unknown.status()).isEqualTo(400);
  }

  @ParameterizedTest(name = "{0} is echoed as {1}")
  @CsvSource({
    "'\"20s\"', 20s",
    "20000000000, 20s",
    "'\"1m30s\"', 1m30s",
    "90000000000, 1m30s",
    "'\"500ms\"', 500ms",
    "1500000000, 1.5s"
  })
  void invariant14DurationsAreStringsOrNanoseconds(String given, String echoed) {
    String id =
        stage.started(
            "\"stop_config\":{\"timeout\":%1$s},\"checks\":{\"c\":{\"interval\":%1$s}}"
                .formatted(given));
    JsonNode config = stage.on(id, Action.GET).body().get("config");
    assertThat(config.at("/stop_config/timeout").asText()).isEqualTo(echoed);
    assertThat(config.at("/checks/c/interval").asText()).isEqualTo(echoed);
    assertThat(stage.on(id, Action.STOP, "{\"timeout\":" + given + "}").status()).isEqualTo(200);
  }

  private String version(String id) {
    return stage.truth(id).get("instance_id").asText();
  }

  private List<String> answers(String name) {
    List<String> answers = new ArrayList<>();
    stage.control(Order.DNS, name).body().get("answers").forEach(a -> answers.add(a.asText()));
    return answers;
  }
}
