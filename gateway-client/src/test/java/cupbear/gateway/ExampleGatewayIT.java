// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.gateway.example.ExampleGateway;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The gateway of docs/how-to/write-a-gateway.md, from a WebSocket to a guacd socket and back. */
class ExampleGatewayIT extends ClientFixture {
  private static final String DELETE = "DELETE /v1/sessions/" + ID;
  private static final String CONNECTED = "POST /v1/sessions/" + ID + "/connected";

  private final ScriptedScheduler scheduler = scheduler();
  private final Cupbear cupbear = builder(scheduler).deadline(Duration.ofSeconds(10)).build();
  private final HttpServer gateway = get(new ExampleGateway(VERTX, cupbear).listen(0, "127.0.0.1"));
  private final WebSocketClient browser = VERTX.createWebSocketClient();

  private final List<NetSocket> dialled = new CopyOnWriteArrayList<>();
  private final NetServer guacd =
      get(
          VERTX
              .createNetServer()
              .connectHandler(socket -> {
                dialled.add(socket);
                socket.handler(heard -> socket.write(Buffer.buffer("guacd:").appendBuffer(heard)));
              })
              .listen(0, "127.0.0.1"));

  @AfterEach
  void stop() {
    get(browser.close());
    get(gateway.close());
    get(guacd.close());
  }

  private static JsonObject onPort(int port, long epoch) {
    JsonObject session = ScriptedScheduler.session(epoch);
    session.getJsonObject("machine").put("address", "127.0.0.1").put("guacd_port", port);
    return session;
  }

  private WebSocket user() {
    return get(browser.connect(gateway.actualPort(), "127.0.0.1", "/"));
  }

  /** For a gateway that does not close at once: a closed socket takes no handler. */
  private WebSocket user(List<String> hears) {
    WebSocket user = user();
    user.handler(heard -> hears.add(heard.toString()));
    return user;
  }

  @Test
  void bridgesBothWaysConfirmsAndGivesBack() {
    scheduler.then(201, onPort(guacd.actualPort(), 812)).thenEmpty(204).thenEmpty(204);
    List<String> hears = new CopyOnWriteArrayList<>();
    WebSocket user = user(hears);
    user.writeBinaryMessage(Buffer.buffer("6.select,3.rdp;"));

    await().until(() -> String.join("", hears).equals("guacd:6.select,3.rdp;"));
    await().until(() -> scheduler.count(CONNECTED) == 1);
    get(user.close());
    await().until(() -> scheduler.count(DELETE) == 1);
    await().until(() -> time.alarms() == 0);
  }

  @Test
  void aGuacdThatHangsUpEndsTheUsersSocketAndTheSession() {
    scheduler.then(201, onPort(guacd.actualPort(), 812)).thenEmpty(204).thenEmpty(204);
    WebSocket user = user();
    await().until(() -> scheduler.count(CONNECTED) == 1);
    dialled.getFirst().close();
    await().until(user::isClosed);
    await().until(() -> scheduler.count(DELETE) == 1);
  }

  @Test
  void aMachineThatDoesNotAnswerIsReplaced() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = socket.getLocalPort();
    }
    scheduler
        .then(201, onPort(nobody, 812))
        .then(200, onPort(guacd.actualPort(), 840))
        .thenEmpty(204)
        .thenEmpty(204);
    List<String> hears = new CopyOnWriteArrayList<>();
    WebSocket user = user(hears);
    user.writeBinaryMessage(Buffer.buffer("hello"));
    await().until(() -> String.join("", hears).equals("guacd:hello"));
    assertThat(scheduler.seen().get(1).line()).isEqualTo("POST /v1/sessions/" + ID + "/fail");
    await().until(() -> scheduler.count(CONNECTED) == 1);
    get(user.close());
    await().until(() -> scheduler.count(DELETE) == 1);
  }

  @Test
  void aFullHouseIsSaidKindly() {
    scheduler.thenProblem(503, "no-capacity", 60);
    WebSocket user = user();
    await().until(user::isClosed);
    assertThat(user.closeStatusCode()).isEqualTo((short) 1013);
    assertThat(dialled).isEmpty();
  }

  @Test
  void aUserWhoLeavesWhileWaitingTakesNoMachine() {
    scheduler.thenSilence();
    WebSocket user = user();
    await().until(() -> scheduler.seen().size() == 1);
    get(user.close());
    await().until(() -> scheduler.connections() == 0);
    assertThat(scheduler.seen()).hasSize(1);
    assertThat(dialled).isEmpty();
  }

  @Test
  void aLostLeaseEndsTheUsersSocket() {
    scheduler.then(201, onPort(guacd.actualPort(), 812)).thenEmpty(204);
    WebSocket user = user();
    await().until(() -> scheduler.count(CONNECTED) == 1);
    time.awaitPause();
    scheduler.thenProblem(409, "lease-lost", null);
    time.advanceToNext();
    await().until(user::isClosed);
    assertThat(user.closeStatusCode()).isEqualTo((short) 1011);
    assertThat(scheduler.count(DELETE)).isZero();
  }
}
