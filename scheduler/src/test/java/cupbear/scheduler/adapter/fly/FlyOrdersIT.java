// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static cupbear.scheduler.adapter.SimulatedFly.get;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig;
import cupbear.fly.FlyHooks;
import cupbear.fly.Urgency;
import cupbear.fly.model.Secret;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What leaves the house for Fly, where the simulator does not tell what it was sent. */
class FlyOrdersIT {
  private static final MachineId OURS = new MachineId("3d8d413b29d089");
  private static final MachineId UNSEEN = new MachineId("e2865013f10d68");
  private static final String LIST =
      """
      [{"id": "3d8d413b29d089", "name": "v1", "state": "started", "region": "iad",
        "config": {"image": "v", "metadata": {"managed_by": "cupbear/demo", "pool": "viewers"}}}]
      """;

  private final Vertx vertx = Vertx.vertx();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Urgency> urgencies = new CopyOnWriteArrayList<>();
  private final HttpServer server =
      get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
  private final FlyClient client =
      FlyClient.create(
          vertx,
          FlyConfig.of(
                  URI.create("http://127.0.0.1:" + server.actualPort()), () -> Secret.of("fm2_x"))
              .hooks(new Listener()));
  private final Machines machines =
      new FlyMachines(
          client,
          new FlyMachines.Scope("viewer", SimulatedFly.OURS, pool -> Duration.ofSeconds(33)),
          InstantSource.system());

  private void answer(HttpServerRequest request) {
    request
        .body()
        .onSuccess(body -> {
          bodies.add(body.toString());
          String path = request.path();
          request.response().end(path.endsWith("/machines") ? LIST : "{\"ok\":true}");
        });
  }

  private final class Listener implements FlyHooks {
    @Override
    public CallHook started(CallInfo call) {
      urgencies.add(call.urgency());
      return CallHook.NONE;
    }
  }

  @AfterEach
  void close() {
    get(client.close());
    get(vertx.close());
  }

  private JsonObject sent() {
    return new JsonObject(bodies.getLast());
  }

  @Test
  @DisplayName("stop: SIGTERM with the timeout of the Machine's pool")
  void stopOfAKnownMachine() {
    get(machines.list());
    get(machines.stop(OURS));
    assertThat(sent().getString("signal")).isEqualTo("SIGTERM");
    assertThat(sent().getString("timeout")).isEqualTo("33s");
  }

  @Test
  @DisplayName("stop: SIGTERM with the usual timeout as long as no list told the pool")
  void stopOfAnUnseenMachine() {
    get(machines.list());
    get(machines.stop(UNSEEN));
    assertThat(sent().getString("signal")).isEqualTo("SIGTERM");
    assertThat(sent().getString("timeout")).isEqualTo("20s");
  }

  @ParameterizedTest(name = "retag to {0} is {1}")
  @CsvSource({"assigned, URGENT", "warm, ROUTINE", "draining, ROUTINE"})
  void liveSessionsGoFirst(String state, Urgency urgency) {
    get(machines.retag(OURS, Map.of("state", state)));
    assertThat(urgencies).containsExactly(urgency);
    assertThat(sent().getJsonObject("metadata").getString("state")).isEqualTo(state);
  }
}
