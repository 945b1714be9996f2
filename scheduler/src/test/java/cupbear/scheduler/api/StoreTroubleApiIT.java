// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** What gateways hear while Redis is away, and that all resumes by itself. */
@ExtendWith(RedisExtension.class)
class StoreTroubleApiIT {
  private final LocalRedis redis;
  private House house;
  private Client gateway;

  StoreTroubleApiIT(LocalRedis redis) {
    this.redis = redis;
  }

  @BeforeEach
  void open(@TempDir Path folder) {
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
    house = new House(folder, Store.redis(redis.address().uri().toString()));
    gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
  }

  @AfterEach
  void close() {
    redis.process().thaw();
    house.close();
  }

  private static void isToldToComeAgain(Client.Reply reply, String... problems) {
    assertThat(reply.problem()).as(reply.text()).isIn((Object[]) problems);
    assertThat(Integer.parseInt(reply.header("retry-after"))).isPositive();
  }

  @Test
  @DisplayName("a store that hangs: every question is refused with Retry-After; then it goes on")
  void hangs() {
    house.warm("m1");
    String key = Client.key();
    String body = "{\"pool\":\"viewers\",\"wait\":\"1s\"}";
    redis.process().freeze();
    isToldToComeAgain(
        gateway.post("/v1/sessions", body, "Idempotency-Key", key), "store-unavailable");
    String session = "/v1/sessions/ses_viewers_00000000000000000000000000";
    for (Client.Reply each :
        List.of(
            gateway.get(session),
            gateway.send("DELETE", session, null),
            gateway.send("PUT", session + "/lease", "{\"epoch\":1}"),
            gateway.post(session + "/connected", "{\"epoch\":1}"),
            gateway.post(session + "/fail", "{\"epoch\":1,\"reason\":\"no picture\"}"))) {
      isToldToComeAgain(each, "store-unavailable", "timeout");
    }
    redis.process().thaw();
    JsonObject granted =
        await()
            .until(
                () -> gateway.post("/v1/sessions", body, "Idempotency-Key", key),
                reply -> reply.status() == 201)
            .json();
    assertThat(granted.getJsonObject("machine").getString("id")).isEqualTo("m1");
  }

  @Test
  @DisplayName("a store that was wiped grants nothing until it is rebuilt")
  void wiped() {
    house.warm("m1");
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
    isToldToComeAgain(gateway.create("{\"pool\":\"viewers\",\"wait\":\"0s\"}"), "recovering");
    house.lead();
    house.warm("m2");
    assertThat(gateway.create("{\"pool\":\"viewers\"}").status()).isEqualTo(201);
  }
}
