// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is served when, and from where, over real HTTP. */
class QueueApiIT {
  private static final int PLACES = 4;

  private static final Terms SHORT_QUEUE =
      new Terms(
          Terms.DEFAULT.confirmWithin(),
          Terms.DEFAULT.lease(),
          Terms.DEFAULT.maxSession(),
          Terms.DEFAULT.keyKept(),
          PLACES,
          Terms.DEFAULT.failover());

  @TempDir Path folder;
  private House house;
  private Client gateway;

  @BeforeEach
  void open() {
    house = new House(folder, Store.memory(StoreRules.DEFAULT), SHORT_QUEUE, config -> config);
    gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
  }

  @AfterEach
  void close() {
    house.close();
  }

  /** Stands in the queue when this returns. */
  private CompletableFuture<Client.Reply> waiting(String tenant) {
    int before = house.assignments.waiting();
    String body = "{\"pool\":\"viewers\",\"tenant\":\"%s\",\"wait\":\"30s\"}".formatted(tenant);
    CompletableFuture<Client.Reply> answer =
        gateway.sendLater("POST", "/v1/sessions", body, "Idempotency-Key", Client.key());
    await().until(() -> house.assignments.waiting() == before + 1);
    return answer;
  }

  private static String machine(CompletableFuture<Client.Reply> answer) {
    Client.Reply reply = answer.join();
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json().getJsonObject("machine").getString("id");
  }

  @Test
  @DisplayName("a tenant that asks a lot does not keep another one waiting")
  void fair() {
    List<CompletableFuture<Client.Reply>> crowd = new ArrayList<>();
    for (int i = 0; i < 3; i++) crowd.add(waiting("crowd"));
    CompletableFuture<Client.Reply> other = waiting("other");
    house.warm("m1");
    assertThat(machine(crowd.getFirst())).isEqualTo("m1");
    house.warm("m2");
    assertThat(machine(other)).isEqualTo("m2");
    house.warm("m3", "m4");
    assertThat(machine(crowd.get(1))).isEqualTo("m3");
    assertThat(machine(crowd.get(2))).isEqualTo("m4");
  }

  @Test
  @DisplayName("a full queue says so at once, and when to come again")
  void full() {
    List<CompletableFuture<Client.Reply>> queue = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) queue.add(waiting("acme"));
    Client.Reply refused = gateway.create("{\"pool\":\"viewers\",\"wait\":\"30s\"}");
    assertThat(refused.problem()).isEqualTo("queue-full");
    assertThat(Integer.parseInt(refused.header("retry-after"))).isPositive();
    house.warm("m1", "m2", "m3", "m4");
    for (CompletableFuture<Client.Reply> each : queue) machine(each);
  }

  private String regionFor(String more) {
    Client.Reply reply = gateway.create("{\"pool\":\"viewers\",\"wait\":\"0s\"%s}".formatted(more));
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json().getString("region");
  }

  @Test
  @DisplayName("without a region: the gateway's own, when its address is known, else the first")
  void region() {
    house.gateways.put("fdaa:9:d844:a7b:2::3", House.LHR);
    for (int i = 0; i < 3; i++) {
      house.warm("i" + i, House.IAD);
      house.warm("l" + i, House.LHR);
    }
    assertThat(regionFor(",\"client_address\":\"fdaa:9:d844:a7b:2::3\"")).isEqualTo("lhr");
    assertThat(regionFor(",\"client_address\":\"fdaa:9:d844:a7b:2::4\"")).isEqualTo("iad");
    assertThat(regionFor("")).isEqualTo("iad");
    assertThat(regionFor(",\"region\":\"iad\",\"client_address\":\"fdaa:9:d844:a7b:2::3\""))
        .isEqualTo("iad");
  }
}
