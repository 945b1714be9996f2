// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.http.Running.Answer;
import cupbear.flysim.world.Action;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every endpoint once over real HTTP, each answer held against its documented shape. */
class EndpointWalkIT {
  private static final String CONFIG =
      "{\"image\":\"registry.example/viewer:1\",\"metadata\":{\"role\":\"pool\"},"
          + "\"checks\":{\"guacd\":{\"type\":\"tcp\",\"port\":4822}}}";

  private final Running running;
  private final Shapes shapes = new Shapes();
  private final Set<Action> walked = EnumSet.noneOf(Action.class);
  private String machine = "";

  EndpointWalkIT() throws Exception {
    running = new Running(FlySimConfig.standard().withSpeed(1_000).withViewers(NoViewers::new));
  }

  @AfterEach
  void close() {
    running.close();
  }

  @Test
  void everyEndpointAnswersInItsDocumentedShape() throws Exception {
    apps();
    lifeOfAMachine();
    leases();
    metadata();
    insideAMachine();
    lists();
    platform();
    expect(Action.DELETE, "?force=true", "");
    waitFor("destroyed");
    expect(Action.DELETE_APP, "", "");
    assertThat(walked).containsExactlyInAnyOrder(Action.values());
  }

  private void apps() throws Exception {
    expect(Action.CREATE_APP, "", "{\"name\":\"walk\",\"org_slug\":\"personal\"}");
    expect(Action.CREATE_APP, "", "{\"name\":\"walk\",\"org_slug\":\"personal\"}", 422, "Error");
    expect(Action.LIST_APPS, "?org_slug=personal", "");
    expect(Action.GET_APP, "", "");
    expect(Action.LIST_VOLUMES, "", "");
    expect(Action.LIST_IPS, "", "");
    String ip = expect(Action.ASSIGN_IP, "", "{\"type\":\"v6\"}").get("ip").asText();
    expect(Action.LIST_IPS, "", "");
    walked.add(Action.RELEASE_IP);
    Answer released = running.call("DELETE", "/v1/apps/walk/ip_assignments/" + ip, "");
    assertThat(released.status()).isEqualTo(shapes.good(Action.RELEASE_IP).status());
    assertThat(released.raw().body()).isEmpty();
  }

  private void lifeOfAMachine() throws Exception {
    JsonNode made =
        expect(
            Action.CREATE,
            "",
            "{\"name\":\"wp-1\",\"region\":\"lhr,eu\",\"config\":" + CONFIG + "}");
    machine = made.get("id").asText();
    waitFor("started");
    expect(Action.CREATE, "", "{\"name\":\"wp-1\",\"config\":" + CONFIG + "}", 409, "Error");
    expect(Action.GET, "", "");
    expect(Action.SUSPEND, "", "");
    waitFor("suspended");
    expect(Action.START, "", "");
    waitFor("started");
    expect(Action.RESTART, "?timeout=5s&signal=SIGTERM", "");
    waitFor("started");
    expect(Action.CORDON, "", "");
    expect(Action.UNCORDON, "", "");
    expect(Action.STOP, "", "{\"signal\":\"SIGTERM\",\"timeout\":\"20s\"}");
    waitFor("stopped");
    expect(Action.UPDATE, "", "{\"config\":" + CONFIG + "}");
    waitFor("stopped");
    expect(Action.START, "", "");
    waitFor("started");
  }

  private void leases() throws Exception {
    expect(Action.GET_LEASE, "", "", 404, "object");
    JsonNode lease = expect(Action.ACQUIRE_LEASE, "", "{\"ttl\":60}");
    expect(Action.GET_LEASE, "", "");
    expect(Action.GET, "?include_leases=true", "");
    expect(Action.SUSPEND, "", "", 409, "Error");
    String nonce = lease.at("/data/nonce").asText();
    Answer released = running.call("DELETE", path(Action.RELEASE_LEASE), "", nonce);
    walked.add(Action.RELEASE_LEASE);
    assertThat(released.status()).isEqualTo(shapes.good(Action.RELEASE_LEASE).status());
    assertThat(shapes.misfits("Released", released.body())).isEmpty();
  }

  private void metadata() throws Exception {
    expect(Action.PATCH_METADATA, "", "{\"metadata\":{\"k\":\"v\"}}");
    expect(Action.PUT_METADATA, "", "{\"metadata\":{\"l\":\"w\"}}");
    expect(Action.GET_METADATA, "", "");
    expect(Action.GET_METADATA_KEY, "", "");
    expect(Action.SET_METADATA_KEY, "", "{\"value\":\"x\"}");
    expect(Action.DELETE_METADATA_KEY, "", "");
    expect(Action.GET_METADATA_KEY, "", "", 404, "Error");
    expect(Action.PATCH_METADATA, "", "nonsense", 400, "Error");
  }

  private void insideAMachine() throws Exception {
    expect(Action.EXEC, "", "{\"command\":[\"true\"]}");
    expect(Action.SIGNAL, "", "{\"signal\":\"SIGUSR1\"}");
    expect(Action.PS, "", "");
    expect(Action.EVENTS, "?limit=50", "");
    expect(Action.VERSIONS, "", "");
    expect(Action.WAIT, "?state=started&state=stopped&timeout=5", "");
  }

  private void lists() throws Exception {
    JsonNode list = expect(Action.LIST, "?include_leases=true", "");
    assertThat(list).hasSize(1);
    assertThat(expect(Action.LIST_ORG, "?limit=10", "").get("machines")).hasSize(1);
  }

  private void platform() throws Exception {
    expect(Action.REGIONS, "", "");
    expect(Action.PLACEMENTS, "", "{\"region\":\"iad,us\",\"count\":3}");
    expect(Action.CURRENT_TOKEN, "", "");
  }

  private void waitFor(String state) throws Exception {
    expect(Action.WAIT, "?state=" + state, "");
  }

  /** The answer that is documented for when all is well. */
  private JsonNode expect(Action action, String query, String body) throws Exception {
    Shapes.GoodAnswer good = shapes.good(action);
    walked.add(action);
    return expect(action, query, body, good.status(), good.shape());
  }

  private JsonNode expect(Action action, String query, String body, int status, String shape)
      throws Exception {
    Answer answer = running.call(action.method(), path(action) + query, body);
    assertThat(answer.status()).as("%s: %s", action, answer.raw().body()).isEqualTo(status);
    assertThat(answer.raw().headers().firstValue("fly-request-id").orElse(""))
        .matches("[0-9A-Z]{26}-iad");
    if (shape.isEmpty()) {
      assertThat(answer.raw().body()).isEmpty();
    } else {
      assertThat(shapes.misfits(shape, answer.body())).as(action.toString()).isEmpty();
    }
    return answer.body();
  }

  private String path(Action action) {
    return action
        .path()
        .replace(":app", "walk")
        .replace(":machine", machine)
        .replace(":key", "k")
        .replace(":org", FlySimConfig.ORG);
  }
}
