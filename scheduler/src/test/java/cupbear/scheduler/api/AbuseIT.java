// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of requests that are wrong, each in its own way, over connections that are kept: each
 * gets a 4xx that names the fault, and whoever asks properly in between is served.
 */
@Timeout(120)
class AbuseIT {
  private static final int REQUESTS = 10_000;
  private static final int GOOD_EVERY = 250;
  private static final int SLOW_SENDERS = 20;
  private static final Settings.Limits LIMITS =
      new Settings.Limits(
          16 * 1024, 16, 8 * 1024, Duration.ofSeconds(2), Duration.ofSeconds(60), 100_000, 100_000);

  @TempDir Path folder;
  private House house;
  private @Nullable Wire wire;

  @BeforeEach
  void open() {
    house =
        new House(
            folder,
            Store.memory(StoreRules.DEFAULT),
            Terms.DEFAULT,
            config -> House.with(config, LIMITS));
  }

  @AfterEach
  void close() {
    house.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 20261118)
  void everyBadRequestIsRefusedForWhatItIs(long seed) {
    BadRequests bad = new BadRequests(seed, house.token(Role.GATEWAY), usedKey());
    List<Wire> slow = slowSenders();
    wire = new Wire(house.server.port());
    Map<BadRequests.Fault, Integer> sent = new EnumMap<>(BadRequests.Fault.class);
    for (int i = 0; i < REQUESTS; i++) {
      BadRequests.Bad request = bad.next();
      sent.merge(request.fault(), 1, Integer::sum);
      refused(i, request);
      if (i % GOOD_EVERY == 0) served("good" + i);
    }
    wire().close();
    assertThat(sent.keySet()).containsExactlyInAnyOrder(BadRequests.Fault.values());
    for (Wire each : slow) {
      assertThat(each.answer().orElseThrow().problem()).isEqualTo("request-timeout");
      each.close();
    }
    await().until(() -> house.server.inFlight() == 0);
    assertThat(house.assignments.waiting()).isZero();
    Client operator = new Client(house.server.port(), house.token(Role.OPERATOR));
    assertThat(operator.get("/v1/sessions").json().getJsonArray("sessions")).hasSize(1);
  }

  private Wire wire() {
    return Objects.requireNonNull(wire);
  }

  /** A key that has its session. */
  private String usedKey() {
    house.warm("used");
    String key = Client.key();
    Client gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
    Client.Reply reply =
        gateway.post("/v1/sessions", "{\"pool\":\"viewers\"}", "Idempotency-Key", key);
    assertThat(reply.status()).isEqualTo(201);
    return key;
  }

  private void refused(int number, BadRequests.Bad request) {
    wire().send(request.bytes());
    Optional<Client.Reply> answer = wire().answer();
    String what = "request %d, %s: %s".formatted(number, request.fault(), request.shown());
    assertThat(answer).as(what).isPresent();
    Client.Reply reply = answer.get();
    assertThat(reply.status()).as(what + reply.text()).isBetween(400, 499);
    assertThat(reply.problem()).as(what + reply.text()).isIn(request.fault().problems());
    JsonObject problem = reply.json();
    assertThat(problem.getString("detail")).as(what).isNotBlank();
    if (reply.problem().equals("invalid-request")) {
      assertThat(problem.getJsonArray("errors")).as(what).isNotEmpty();
    }
    assertThat(reply.text()).as(what).doesNotContain("Exception", "at cupbear", "io.vertx");
    if (number % 100 == 0) Contract.kept("GET", "/none", reply);
    if (reply.header("connection").equals("close") || request.fault().ends) {
      wire().close();
      wire = new Wire(house.server.port());
    }
  }

  /** On the very same connection. */
  private void served(String machine) {
    house.warm(machine);
    String body = "{\"pool\":\"viewers\"}";
    String head = "Host: a\r\nAuthorization: Bearer %s\r\n".formatted(house.token(Role.GATEWAY));
    wire()
        .send(
            ("POST /v1/sessions HTTP/1.1\r\n%sContent-Type: application/json\r\n"
                    + "Idempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s")
                .formatted(head, Client.key(), body.length(), body));
    Client.Reply granted = wire().answer().orElseThrow();
    assertThat(granted.status()).as(granted.text()).isEqualTo(201);
    wire()
        .send(
            "DELETE /v1/sessions/%s HTTP/1.1\r\n%s\r\n"
                .formatted(granted.json().getString("id"), head));
    assertThat(wire().answer().orElseThrow().status()).isEqualTo(204);
  }

  private List<Wire> slowSenders() {
    List<Wire> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_SENDERS; i++) {
      Wire each = new Wire(house.server.port());
      each.send("POST /v1/sessions HTTP/1.1\r\nHost: a\r\n");
      each.send("Authorization: Bearer %s\r\n".formatted(house.token(Role.GATEWAY)));
      each.send("Content-Type: application/json\r\nContent-Length: 40\r\n");
      each.send("Idempotency-Key: %s\r\n\r\n{\"pool".formatted(Client.key()));
      slow.add(each);
    }
    return slow;
  }
}
