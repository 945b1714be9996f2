// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the two lists show, filter and miss. */
class ListsTest {
  private final Stage stage = new Stage();

  private String make(String name, String region, String metadata) {
    String body =
        "{\"name\":\"%s\",\"region\":\"%s\",\"config\":{\"image\":\"i\",\"metadata\":%s}}"
            .formatted(name, region, metadata);
    return stage.create(body).body().get("id").asText();
  }

  @ParameterizedTest(name = "\"{0}\" shows {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                             | a,b,c",
        "?region=lhr                                    | b",
        "?state=started                                 | a,b",
        "?state=started,stopped                         | a,b,c",
        "?state=suspended                               | ''",
        "?metadata.role=pool                            | a,b",
        "?metadata.role=pool&metadata.pool_state=warm   | a",
        "?metadata.role=nobody                          | ''",
        "?region=iad&state=stopped                      | c",
      })
  void filters(String query, String names) {
    make("a", "iad", "{\"role\":\"pool\",\"pool_state\":\"warm\"}");
    make("b", "lhr", "{\"role\":\"pool\",\"pool_state\":\"cold\"}");
    String c = make("c", "iad", "{}");
    stage.pass(10);
    stage.on(c, Action.STOP);
    stage.pass(10);
    assertThat(names(stage.call(Action.LIST, query).body()))
        .isEqualTo(names.isEmpty() ? List.of() : List.of(names.split(",")));
  }

  @Test
  void summaryDropsWhatIsHeavyAndLeasesCanBeAdded() {
    String id = make("a", "iad", "{}");
    stage.pass(10);
    stage.on(id, Action.ACQUIRE_LEASE, "{\"ttl\":60}");
    JsonNode full = stage.call(Action.LIST, "?include_leases=true").body().get(0);
    assertThat(full.at("/lease/owner").asText()).isEqualTo("scheduler@tokens.fly.io");
    assertThat(full.get("lease").has("nonce")).isFalse();
    JsonNode summary = stage.call(Action.LIST, "?summary=true").body().get(0);
    assertThat(summary.fieldNames())
        .toIterable()
        .contains("id", "name", "state", "region", "instance_id", "private_ip")
        .doesNotContain("config", "checks", "events", "host_status", "nonce", "lease");
  }

  @Test
  void listsLagBehindAndGetLagsLess() {
    stage.latencies("{\"list_lag\":{\"p50_ms\":3000,\"p95_ms\":3000}}");
    String id = make("a", "iad", "{}");
    assertThat(stage.call(Action.LIST, "").body()).isEmpty();
    stage.pass(10);
    stage.on(id, Action.PATCH_METADATA, "{\"metadata\":{\"x\":\"1\"}}");
    assertThat(stage.on(id, Action.GET).body().at("/config/metadata/x").asText()).isEqualTo("1");
    assertThat(stage.call(Action.LIST, "").body().at("/0/config/metadata/x").asText()).isEmpty();
    stage.pass(4);
    assertThat(stage.call(Action.LIST, "").body().at("/0/config/metadata/x").asText())
        .isEqualTo("1");
  }

  @Test
  void getLagsAfterAWaitButNeverForgetsAMachine() {
    stage.latencies("{\"get_lag\":{\"p50_ms\":400,\"p95_ms\":400}}");
    String id = make("a", "iad", "{}");
    assertThat(stage.on(id, Action.GET).status()).isEqualTo(200);
    stage.pass(10);
    stage.call(Action.DELETE, "machine=" + id + "?force=true");
    assertThat(stage.call(Action.WAIT, "machine=" + id + "?state=destroyed").status())
        .isEqualTo(200);
    assertThat(stage.on(id, Action.GET).body().get("state").asText()).isEqualTo("destroying");
    stage.pass(1);
    assertThat(stage.on(id, Action.GET).body().get("state").asText()).isEqualTo("destroyed");
  }

  @Test
  void orgFeedPagesByTimeOfChange() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      make(name, "iad", "{\"n\":\"" + name + "\"}");
      stage.pass(10);
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      JsonNode page = stage.call(Action.LIST_ORG, "org=acme?limit=2" + cursor).body();
      seen.addAll(names(page.get("machines")));
      cursor = "&cursor=" + page.get("next_cursor").asText();
      pages++;
    } while (!cursor.equals("&cursor="));
    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void orgFeedShowsChangesSinceAndTheNarrowConfig() {
    String a = make("a", "iad", "{\"x\":\"1\"}");
    make("b", "iad", "{}");
    stage.pass(10);
    String since = Json.seconds(stage.time.now());
    stage.pass(5);
    stage.on(a, Action.PATCH_METADATA, "{\"metadata\":{\"x\":\"2\"}}");
    JsonNode feed = stage.call(Action.LIST_ORG, "org=acme?updated_after=" + since).body();
    assertThat(names(feed.get("machines"))).containsExactly("a");
    JsonNode row = feed.at("/machines/0");
    assertThat(row.get("config").fieldNames())
        .toIterable()
        .containsExactly("image", "guest", "metadata");
    assertThat(row.at("/config/metadata/x").asText()).isEqualTo("2");
    assertThat(row.get("app_name").asText()).isEqualTo("pool");
    assertThat(feed.get("last_machine_id").asText()).isEqualTo(a);
    assertThat(feed.get("error_regions")).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "LIST, ?summary=maybe",
    "LIST_ORG, org=acme?limit=none",
    "LIST_ORG, org=acme?updated_after=yesterday",
    "LIST_ORG, org=acme?cursor=***"
  })
  void badParameters(Action action, String target) {
    assertThat(stage.call(action, target).status()).isEqualTo(400);
  }

  @Test
  void regionsAndPlacements() {
    JsonNode regions = stage.call(Action.REGIONS, "").body();
    assertThat(regions.get("Regions")).hasSize(18);
    assertThat(regions.get("Nearest").asText()).isEqualTo("iad");
    stage.switches("{\"region_keys\":\"lower\"}");
    assertThat(stage.call(Action.REGIONS, "").body().get("regions")).hasSize(18);
    stage.fault("{\"kind\":\"capacity.region\",\"region\":\"iad\"}");
    JsonNode placed =
        stage.call(Action.PLACEMENTS, "", "{\"region\":\"iad,lhr\",\"count\":5}").body();
    assertThat(placed.at("/regions/0/region").asText()).isEqualTo("lhr");
    assertThat(placed.at("/regions/0/count").asInt()).isEqualTo(5);
    JsonNode limits = stage.call(Action.PLACEMENTS, "", "{\"region\":\"lhr\"}").body();
    assertThat(limits.at("/regions/0/count").asInt()).isEqualTo(50);
  }

  @Test
  void publicAddressesCanBeStaged() {
    assertThat(stage.call(Action.LIST_IPS, "").body().get("ips")).isEmpty();
    String ip = stage.call(Action.ASSIGN_IP, "", "{\"type\":\"v4\"}").body().get("ip").asText();
    assertThat(stage.call(Action.LIST_IPS, "").body().at("/ips/0/ip").asText()).isEqualTo(ip);
    assertThat(stage.call(Action.RELEASE_IP, "ip=" + ip).status()).isEqualTo(204);
    assertThat(stage.call(Action.RELEASE_IP, "ip=" + ip).status()).isEqualTo(404);
    assertThat(stage.call(Action.ASSIGN_IP, "", "{\"type\":\"v5\"}").status()).isEqualTo(400);
    assertThat(stage.call(Action.LIST_VOLUMES, "").body()).isEmpty();
  }

  private static List<String> names(JsonNode machines) {
    List<String> names = new ArrayList<>();
    machines.forEach(machine -> names.add(machine.get("name").asText()));
    return names;
  }
}
