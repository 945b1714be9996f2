// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a caller may cost, and what it is told beyond that. */
@Timeout(30)
class LimitsIT {
  private static final Settings.Limits TIGHT =
      new Settings.Limits(4096, 16, 4096, Duration.ofMillis(400), Duration.ofMillis(1200), 5, 20);

  @TempDir Path folder;
  private House house;
  private Client gateway;

  @BeforeEach
  void open() {
    house =
        new House(
            folder,
            Store.memory(StoreRules.DEFAULT),
            Terms.DEFAULT,
            config -> House.with(config, TIGHT));
    gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
  }

  @AfterEach
  void close() {
    house.close();
  }

  private String head(String more) {
    return "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n%s"
        .formatted(house.token(Role.GATEWAY), more);
  }

  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String KEY = "Idempotency-Key: 0123456789abcdef\r\n";

  @Test
  void aTokenOverItsRateIsToldWhenToComeAgain() {
    Client.Reply last = gateway.get("/v1/pools");
    for (int i = 0; i < 60 && last.status() == 200; i++) last = gateway.get("/v1/pools");
    assertThat(last.problem()).isEqualTo("rate-limited");
    assertThat(last.header("retry-after")).isEqualTo("1");
    Client other = new Client(house.server.port(), house.token(Role.OPERATOR));
    assertThat(other.get("/v1/pools").status()).isEqualTo(200);
  }

  @Test
  void aBodyLargerThanAllowedIsRefusedWithAndWithoutItsLength() {
    String large = "{\"pool\":\"" + "x".repeat(5000) + "\"}";
    Client.Reply reply = gateway.create(large);
    assertThat(reply.problem()).isEqualTo("body-too-large");
    assertThat(reply.json().getString("detail")).contains("4096");
    try (Wire wire = new Wire(house.server.port())) {
      wire.send(head(JSON + KEY + "Transfer-Encoding: chunked\r\n\r\n"));
      for (int i = 0; i < 10; i++) wire.send("200\r\n" + "x".repeat(512) + "\r\n");
      assertThat(wire.answer().orElseThrow().problem()).isEqualTo("body-too-large");
      wire.send("0\r\n\r\n");
      wire.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(wire.answer().orElseThrow().status()).isEqualTo(200);
    }
  }

  @Test
  void aFloodIsCutOff() {
    try (Wire wire = new Wire(house.server.port())) {
      wire.send(head(JSON + KEY + "Content-Length: 999999999\r\n\r\n"));
      assertThat(wire.answer().orElseThrow().problem()).isEqualTo("body-too-large");
      byte[] chunk = new byte[64 * 1024];
      for (int i = 0; i < 40; i++) wire.send(chunk);
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void headersAndAddressesLargerThanAllowedAreRefused() {
    assertThat(gateway.get("/livez", "X-Large", "x".repeat(5000)).problem())
        .isEqualTo("headers-too-large");
    assertThat(gateway.get("/v1/pools?x=" + "y".repeat(2100)).problem()).isEqualTo("uri-too-long");
    assertThat(gateway.get("/" + "y".repeat(6000)).problem()).isEqualTo("uri-too-long");
  }

  @Test
  void aSlowBodyIsRefusedAndItsConnectionClosed() {
    try (Wire wire = new Wire(house.server.port())) {
      wire.send(head(JSON + KEY + "Content-Length: 50\r\n\r\n{\"pool\":"));
      Client.Reply reply = wire.answer().orElseThrow();
      assertThat(reply.problem()).isEqualTo("request-timeout");
      assertThat(wire.isClosed()).isTrue();
    }
  }

  @Test
  void aSlowHeadAndASilentConnectionAreClosed() {
    try (Wire slow = new Wire(house.server.port());
        Wire silent = new Wire(house.server.port());
        Wire idle = new Wire(house.server.port())) {
      slow.send("GET /livez HT");
      idle.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(idle.answer().orElseThrow().status()).isEqualTo(200);
      assertThat(slow.isClosed()).isTrue();
      assertThat(silent.isClosed()).isTrue();
      assertThat(idle.isClosed()).isTrue();
    }
  }

  @Test
  void whatIsNotJsonIsNotRead() {
    String body = "{\"pool\":\"viewers\"}";
    String key = Client.key();
    String[] types = {"text/plain", "application/json; charset=latin1", "application/xml", ""};
    for (String type : types) {
      Client.Reply reply =
          gateway.post("/v1/sessions", body, "Content-Type", type, "Idempotency-Key", key);
      assertThat(reply.problem()).as(type).isEqualTo("unsupported-media-type");
    }
    assertThat(
            gateway
                .post("/v1/sessions", body, "Content-Encoding", "gzip", "Idempotency-Key", key)
                .problem())
        .isEqualTo("unsupported-media-type");
    house.warm("m1");
    assertThat(
            gateway
                .post(
                    "/v1/sessions",
                    body,
                    "Content-Type",
                    "application/json; charset=UTF-8",
                    "Idempotency-Key",
                    key)
                .status())
        .isEqualTo(201);
  }

  @Test
  void wrongMethodsPathsAndFormsAreNamed() {
    Client.Reply method = gateway.send("PATCH", "/v1/sessions", "{}");
    assertThat(method.problem()).isEqualTo("method-not-allowed");
    assertThat(method.header("allow")).isEqualTo("GET, POST");
    assertThat(gateway.get("/v1/none").problem()).isEqualTo("not-found");
    assertThat(gateway.get("/v1/sessions/").problem()).isEqualTo("not-found");
    assertThat(gateway.get("/v1/pools", "Accept", "text/html").problem())
        .isEqualTo("not-acceptable");
    assertThat(gateway.get("/v1/pools", "Accept", "text/html, */*;q=0.1").status()).isEqualTo(200);
  }

  @Test
  void aBadTokenGetsTheSameAnswerWhateverIsWrongWithIt() {
    String good = house.token(Role.GATEWAY);
    String[] bad = {
      "", "nonsense", good.substring(1), good + "x", good.replace("cb_", "cb_x"), "cb_a_b"
    };
    for (String each : bad) {
      Client.Reply reply = new Client(house.server.port(), each).get("/v1/pools");
      assertThat(reply.problem()).isEqualTo("unauthorized");
      assertThat(reply.header("www-authenticate")).startsWith("Bearer");
      assertThat(reply.text()).doesNotContain(each.isEmpty() ? "cb_" : each);
    }
  }

  @Test
  void aCallerThatAsksFirstWhetherToSendIsTold() {
    house.warm("m1");
    try (Wire wire = new Wire(house.server.port())) {
      String body = "{\"pool\":\"viewers\"}";
      wire.send(
          head(
              JSON
                  + KEY
                  + "Expect: 100-continue\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"));
      assertThat(wire.answer().orElseThrow().status()).isEqualTo(100);
      wire.send(body);
      assertThat(wire.answer().orElseThrow().status()).isEqualTo(201);
    }
  }
}
