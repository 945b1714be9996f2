// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.http.Running.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only the wire can show: closed connections, headers, plain text, the control API. */
class WireIT {
  private static final String ANY = "{\"config\":{\"image\":\"i\"}}";
  private final Running running;

  WireIT() throws Exception {
    running = new Running(FlySimConfig.standard().withSpeed(1_000).withViewers(NoViewers::new));
  }

  @AfterEach
  void close() {
    running.close();
  }

  @Test
  void aResetIsAClosedConnection() throws Exception {
    // Not on GET: the client of the JDK repeats those by itself.
    Running.await(
        running.sim.faults().set(new JsonObject().put("kind", "connection_reset").put("times", 1)));
    assertThatThrownBy(() -> running.app("POST", "/machines", ANY)).isInstanceOf(IOException.class);
    assertThat(running.app("POST", "/machines", ANY).status()).isEqualTo(200);
  }

  @Test
  void rateLimitHasNoRetryAfter() throws Exception {
    Answer set = running.call("POST", "/sim/faults", "{\"kind\":\"rate_limit\",\"times\":1}");
    assertThat(set.status()).isEqualTo(201);
    Answer limited = running.app("GET", "/machines", "");
    assertThat(limited.status()).isEqualTo(429);
    assertThat(limited.raw().headers().firstValue("retry-after")).isEmpty();
    assertThat(limited.raw().headers().firstValue("via")).contains("1.1 fly.io");
    assertThat(limited.raw().headers().firstValue("fly-trace-id").orElse("")).hasSize(32);
    assertThat(limited.raw().headers().firstValue("fly-span-id").orElse("")).hasSize(16);
    assertThat(limited.raw().headers().firstValue("server").orElse("")).startsWith("Fly/");
  }

  @Test
  void unknownPathsAnswerInPlainText() throws Exception {
    Answer answer = running.call("GET", "/v1/nothing", "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.raw().body()).isEqualTo("404 page not found\n");
    assertThat(answer.raw().headers().firstValue("content-type").orElse(""))
        .startsWith("text/plain");
  }

  @Test
  void controlOverHttp() throws Exception {
    String id = running.started(ANY);
    String at = "/sim/machines/" + id;
    assertThat(running.call("GET", at, "").body().at("/sim/app").asText())
        .isEqualTo(FlySimConfig.APP);
    assertThat(
            running
                .call("POST", at + "/viewer", "{\"mode\":\"hang\"}")
                .body()
                .at("/sim/viewer_mode")
                .asText())
        .isEqualTo("hang");
    assertThat(running.call("POST", at + "/host_down", "").body().get("host_status").asText())
        .isEqualTo("unreachable");
    assertThat(running.call("POST", at + "/host_up", "").body().get("host_status").asText())
        .isEqualTo("ok");
    assertThat(
            running
                .call("POST", at + "/lease", "{\"owner\":\"bob\",\"ttl\":9}")
                .body()
                .at("/lease/owner")
                .asText())
        .isEqualTo("bob");
    assertThat(running.call("POST", at + "/migrate", "").status()).isEqualTo(200);
    running.waitFor(id, "started");
    assertThat(running.call("POST", at + "/crash", "{\"oom\":true}").status()).isEqualTo(200);
    running.waitFor(id, "started");
    JsonNode dns =
        running.call("GET", "/sim/dns?name=" + FlySimConfig.APP + ".internal", "").body();
    assertThat(dns.get("answers")).hasSize(1);
    JsonNode info = running.call("GET", "/sim", "").body();
    assertThat(info.at("/calls/create").asInt()).isOne();
    assertThat(info.at("/machines/started").asInt()).isOne();
    assertThat(running.call("GET", "/sim/machines", "").body()).hasSize(1);
    assertThat(running.call("GET", "/sim/machines/none", "").status()).isEqualTo(404);
    assertThat(running.call("PATCH", "/sim/latencies", "{\"nap\":{}}").status()).isEqualTo(400);
    assertThat(running.call("GET", "/sim/switches", "").body().get("rate_limits").asBoolean())
        .isFalse();
    assertThat(running.call("POST", "/sim/reset", "").status()).isEqualTo(204);
    assertThat(running.call("GET", "/sim/machines", "").body()).isEmpty();
  }

  @Test
  void controlInProcess() throws Exception {
    String id = running.started("{\"config\":{\"image\":\"i\",\"restart\":{\"policy\":\"no\"}}}");
    Running.await(running.sim.faults().holdLease(id, "bob", Duration.ofSeconds(60)));
    assertThat(running.machine("POST", id, "/suspend", "").status()).isEqualTo(409);
    Running.await(running.sim.faults().viewer(id, Mode.DRIP));
    Running.await(running.sim.faults().hostDown(id));
    Running.await(running.sim.faults().hostUp(id));
    Running.await(running.sim.faults().migrate(id));
    running.waitFor(id, "started");
    Running.await(running.sim.faults().crash(id, 3, false));
    running.waitFor(id, "stopped");
    String fault =
        Running.await(running.sim.faults().set(new JsonObject("{\"kind\":\"empty_list\"}")));
    assertThat(running.app("GET", "/machines", "").body()).isEmpty();
    Running.await(running.sim.faults().clear(fault));
    Running.await(running.sim.faults().clearAll());
    assertThatThrownBy(() -> Running.await(running.sim.faults().clear(fault)))
        .hasMessageContaining("GET /sim/faults lists them");
    Running.await(running.sim.faults().reset());
    assertThat(Running.await(running.sim.faults().info()).getJsonObject("machines")).isEmpty();
  }

  @Test
  void aTakenPortIsSaidSoAndClosingFreesIt() throws Exception {
    int port = URI.create(running.sim.url()).getPort();
    FlySimConfig same =
        FlySimConfig.standard().withListen("127.0.0.1", port).withViewers(NoViewers::new);
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> Running.await(FlySim.start(vertx, same)))
          .hasMessageContaining("in use");
      FlySim other = Running.await(FlySim.start(vertx, same.withListen("127.0.0.1", 0)));
      int freed = URI.create(other.url()).getPort();
      Running.await(other.close());
      Running.await(
          Running.await(FlySim.start(vertx, same.withListen("127.0.0.1", freed))).close());
    } finally {
      Running.await(vertx.close());
    }
  }
}
