// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a session over real HTTP, as its gateway sees it. */
class SessionApiIT {
  @TempDir Path folder;
  private House house;
  private Client gateway;

  @BeforeEach
  void open() {
    house = new House(folder, Store.memory(StoreRules.DEFAULT));
    gateway = as(Role.GATEWAY);
  }

  @AfterEach
  void close() {
    house.close();
  }

  private Client as(Role role) {
    return new Client(house.server.port(), house.token(role));
  }

  private JsonObject granted() {
    Client.Reply reply = gateway.create("{\"pool\":\"viewers\"}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json();
  }

  private static String epoch(JsonObject session) {
    return "{\"epoch\":%d}".formatted(session.getLong("epoch"));
  }

  private static String path(JsonObject session) {
    return "/v1/sessions/" + session.getString("id");
  }

  @Test
  void aWarmMachineIsHandedOverAtOnceWithEverythingItsGatewayNeeds() {
    house.warm("m1");
    Client.Reply reply =
        gateway.post(
            "/v1/sessions",
            """
            {"pool":"viewers","region":["iad","lhr"],"client_address":"fdaa:9:d844:a7b:2::3",
             "tenant":"acme","wait":"5s","labels":{"gpu":"false"}}\
            """,
            "Idempotency-Key",
            Client.key(),
            "traceparent",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    JsonObject session = reply.json();
    assertThat(reply.header("location")).isEqualTo(path(session));
    assertThat(reply.header("cache-control")).isEqualTo("no-store");
    assertThat(reply.header("traceparent"))
        .startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-")
        .doesNotContain("00f067aa0ba902b7");
    assertThat(session.getString("region")).isEqualTo("iad");
    assertThat(session.getJsonObject("machine").getString("host"))
        .isEqualTo("m1.vm.cupbear-viewer.internal");
    assertThat(session.getJsonObject("credentials").getString("password"))
        .isEqualTo(House.PASSWORD);
    assertThat(session.getJsonObject("lease").getString("renew_within")).isEqualTo("20s");
    assertThat(session.getString("confirm_within")).isEqualTo("30s");
  }

  @Test
  void theSameKeyGivesTheSameSessionAgainQuotedOrBare() {
    house.warm("m1", "m2");
    String key = Client.key();
    Client.Reply first =
        gateway.post("/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", key);
    Client.Reply again =
        gateway.post(
            "/v1/sessions", "{ \"pool\" : \"viewers\" }", "Idempotency-Key", "\"" + key + "\"");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(again.json().getString("id")).isEqualTo(first.json().getString("id"));
    assertThat(again.json().getJsonObject("credentials"))
        .isEqualTo(first.json().getJsonObject("credentials"));
  }

  @Test
  void theSameKeyWithAnotherBodyIsRefused() {
    house.warm("m1", "m2");
    String key = Client.key();
    gateway.post("/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", key);
    Client.Reply other =
        gateway.post(
            "/v1/sessions", "{\"pool\":\"viewers\",\"tenant\":\"b\"}", "Idempotency-Key", key);
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.problem()).isEqualTo("idempotency-key-reused");
  }

  @Test
  void aKeyWhoseSessionIsOverIsSpent() {
    house.warm("m1");
    String key = Client.key();
    JsonObject session =
        gateway.post("/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", key).json();
    assertThat(gateway.send("DELETE", path(session), null).status()).isEqualTo(204);
    Client.Reply again =
        gateway.post("/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", key);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.json().getString("reason")).isEqualTo("key_spent");
  }

  @Test
  void noneWarmIsSaidWithTheTimeToComeAgain() {
    Client.Reply reply = gateway.create("{\"pool\":\"viewers\",\"wait\":\"0s\"}");
    assertThat(reply.problem()).isEqualTo("no-capacity");
    assertThat(Integer.parseInt(reply.header("retry-after"))).isPositive();
    assertThat(reply.json().getJsonArray("regions_tried")).containsExactly("iad", "lhr");
  }

  @Test
  void aWaiterGetsTheNextMachineThatTurnsWarm() {
    CompletableFuture<Client.Reply> waiting =
        gateway.sendLater(
            "POST", "/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", Client.key());
    await().until(() -> house.assignments.waiting() == 1);
    house.warm("m1");
    assertThat(waiting.join().status()).isEqualTo(201);
  }

  @Test
  void aCallerThatHangsUpFreesItsPlace() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), house.server.port())) {
      String body = "{\"pool\":\"viewers\",\"wait\":\"30s\"}";
      socket
          .getOutputStream()
          .write(
              ("POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                      + "Authorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Length: %d"
                      + "\r\n\r\n%s")
                  .formatted(house.token(Role.GATEWAY), Client.key(), body.length(), body)
                  .getBytes(StandardCharsets.US_ASCII));
      await().until(() -> house.assignments.waiting() == 1);
    }
    await().until(() -> house.assignments.waiting() == 0);
    await().until(() -> house.server.inFlight() == 0);
    house.warm("m1");
    assertThat(granted().getJsonObject("machine").getString("id")).isEqualTo("m1");
  }

  @Test
  void aSessionIsConfirmedRenewedReadAndReleased() {
    house.warm("m1");
    JsonObject session = granted();
    Client.Reply connected = gateway.post(path(session) + "/connected", epoch(session));
    assertThat(connected.status()).as(connected.text()).isEqualTo(204);
    JsonObject renewal =
        new JsonObject()
            .put("epoch", session.getLong("epoch"))
            .put("receipt", session.getString("receipt"));
    Client.Reply renewed = gateway.send("PUT", path(session) + "/lease", renewal.encode());
    assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
    assertThat(renewed.json().containsKey("replacement")).isFalse();
    Client.Reply read = gateway.get(path(session));
    assertThat(read.json().getString("state")).isEqualTo("connected");
    assertThat(read.text()).doesNotContain(House.PASSWORD, "receipt", "credentials");
    assertThat(gateway.send("DELETE", path(session), null).status()).isEqualTo(204);
    assertThat(gateway.send("DELETE", path(session), null).status()).isEqualTo(204);
    Client.Reply late = gateway.send("PUT", path(session) + "/lease", renewal.encode());
    assertThat(late.problem()).isEqualTo("lease-lost");
    assertThat(late.json().getString("reason")).isEqualTo("released");
    assertThat(gateway.get(path(session)).json().getString("end_reason")).isEqualTo("released");
  }

  @Test
  void anEpochThatIsNotTheSessionsIsStale() {
    house.warm("m1");
    JsonObject session = granted();
    String wrong = "{\"epoch\":%d}".formatted(session.getLong("epoch") + 1);
    for (String what : new String[] {"/connected", "/lease"}) {
      String method = what.equals("/lease") ? "PUT" : "POST";
      Client.Reply reply = gateway.send(method, path(session) + what, wrong);
      assertThat(reply.problem()).as(what).isEqualTo("epoch-stale");
      assertThat(reply.json().getLong("epoch")).isEqualTo(session.getLong("epoch"));
    }
    Client.Reply fail =
        gateway.post(path(session) + "/fail", wrong.replace("}", ",\"reason\":\"x\"}"));
    assertThat(fail.problem()).isEqualTo("epoch-stale");
  }

  @Test
  void aReceiptOfAnotherSessionOrHandIsRefused() {
    house.warm("m1", "m2");
    JsonObject one = granted();
    JsonObject other = granted();
    JsonObject renewal =
        new JsonObject()
            .put("epoch", one.getLong("epoch"))
            .put("receipt", other.getString("receipt"));
    Client.Reply reply = gateway.send("PUT", path(one) + "/lease", renewal.encode());
    assertThat(reply.errors()).isEqualTo("receipt: is of another session or caller");
    renewal.put("receipt", one.getString("receipt").replaceAll(".$", "A").replaceAll("^c", "d"));
    assertThat(gateway.send("PUT", path(one) + "/lease", renewal.encode()).errors())
        .startsWith("receipt: is not");
  }

  @Test
  void aMachineThatDoesNotWorkIsReplacedInTheSameCallAndOnlyOnce() {
    house.warm("m1", "m2", "m3");
    JsonObject session = granted();
    String body =
        "{\"epoch\":%d,\"reason\":\"black screen\",\"replace\":true}"
            .formatted(session.getLong("epoch"));
    Client.Reply replaced = gateway.post(path(session) + "/fail", body);
    assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
    assertThat(replaced.json().getLong("epoch")).isGreaterThan(session.getLong("epoch"));
    assertThat(replaced.json().getJsonObject("machine").getString("id"))
        .isNotEqualTo(session.getJsonObject("machine").getString("id"));
    Client.Reply again = gateway.post(path(session) + "/fail", body);
    assertThat(again.json().getString("id")).isEqualTo(replaced.json().getString("id"));
    assertThat(gateway.get("/v1/sessions").json().getJsonArray("sessions")).hasSize(1);
  }

  @Test
  void withoutAWishForAnotherItJustEnds() {
    house.warm("m1");
    JsonObject session = granted();
    String body = "{\"epoch\":%d,\"reason\":\"black screen\"}".formatted(session.getLong("epoch"));
    assertThat(gateway.post(path(session) + "/fail", body).status()).isEqualTo(204);
    assertThat(gateway.send("DELETE", path(session), null).status()).isEqualTo(204);
  }

  @Test
  void aGatewaySeesAndTouchesItsOwnSessionsOnly() {
    house.warm("m1", "m2");
    JsonObject session = granted();
    String token = house.token("gateway-2", Role.GATEWAY, Set.of()).reveal();
    Client other = new Client(house.server.port(), token);
    assertThat(other.get(path(session)).status()).isEqualTo(404);
    assertThat(other.get("/v1/sessions").json().getJsonArray("sessions")).isEmpty();
    assertThat(other.send("DELETE", path(session), null).status()).isEqualTo(404);
    assertThat(other.post(path(session) + "/connected", epoch(session)).status()).isEqualTo(404);
    assertThat(other.send("PUT", path(session) + "/lease", epoch(session)).status()).isEqualTo(404);
    assertThat(gateway.get(path(session)).json().getString("state")).isEqualTo("granted");
  }

  @Test
  void aTokenForOtherPoolsIsRefusedAndSeesNothingOfThisOne() {
    house.warm("m1");
    JsonObject session = granted();
    Set<PoolName> elsewhere = Set.of(new PoolName("others"));
    String token = house.token("gateway-3", Role.GATEWAY, elsewhere).reveal();
    Client other = new Client(house.server.port(), token);
    assertThat(other.create("{\"pool\":\"viewers\"}").problem()).isEqualTo("forbidden");
    assertThat(other.get("/v1/pools").json().getJsonArray("pools")).isEmpty();
    assertThat(other.get("/v1/pools/viewers").status()).isEqualTo(404);
    assertThat(other.get(path(session)).status()).isEqualTo(404);
  }

  @Test
  void viewersSeeNoAddressAndOperatorsDo() {
    house.warm("m1");
    JsonObject session = granted();
    assertThat(as(Role.VIEWER).get(path(session)).text()).doesNotContain("fdaa");
    assertThat(as(Role.OPERATOR).get(path(session)).text()).contains("fdaa");
    assertThat(as(Role.VIEWER).get("/v1/machines").text()).contains("m1").doesNotContain("fdaa");
    assertThat(as(Role.OPERATOR).get("/v1/machines").text()).contains("fdaa");
  }

  @Test
  void listsComeInPagesThatMissNothing() {
    house.warm("m1", "m2", "m3", "m4", "m5");
    for (int i = 0; i < 5; i++) assertThat(granted()).isNotNull();
    StringBuilder seen = new StringBuilder();
    String cursor = "";
    int pages = 0;
    do {
      JsonObject page = gateway.get("/v1/sessions?limit=2" + cursor).json();
      for (Object each : page.getJsonArray("sessions")) {
        seen.append(((JsonObject) each).getJsonObject("machine").getString("id")).append(' ');
      }
      String next = page.getString("next_cursor");
      cursor = next == null ? "" : "&cursor=" + next;
      pages++;
    } while (!cursor.isEmpty() && pages < 10);
    assertThat(pages).isEqualTo(3);
    assertThat(seen.toString().trim().split(" "))
        .containsExactlyInAnyOrder("m1", "m2", "m3", "m4", "m5");
  }
}
