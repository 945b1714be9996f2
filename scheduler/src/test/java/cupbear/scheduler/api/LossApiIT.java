// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** What a gateway hears over HTTP when its Machine, or the store behind it all, was lost. */
@ExtendWith(RedisExtension.class)
class LossApiIT {
  private static final Terms REPLACING =
      new Terms(
          Terms.DEFAULT.confirmWithin(),
          Terms.DEFAULT.lease(),
          Terms.DEFAULT.maxSession(),
          Terms.DEFAULT.keyKept(),
          Terms.DEFAULT.queueMax(),
          Terms.Failover.REPLACE);

  private final LocalRedis redis;
  private House house;
  private Client gateway;

  LossApiIT(LocalRedis redis) {
    this.redis = redis;
  }

  @BeforeEach
  void open(@TempDir Path folder) {
    wipe();
    Store store = Store.redis(redis.address().uri().toString());
    house = new House(folder, store, REPLACING, config -> config);
    gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
  }

  @AfterEach
  void close() {
    house.close();
  }

  private void wipe() {
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
  }

  private JsonObject granted() {
    Client.Reply reply = gateway.create("{\"pool\":\"viewers\"}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json();
  }

  private Client.Reply renew(JsonObject session, long epoch, boolean withReceipt) {
    JsonObject said = new JsonObject().put("epoch", epoch);
    if (withReceipt) said.put("receipt", session.getString("receipt"));
    String path = "/v1/sessions/" + session.getString("id") + "/lease";
    return gateway.send("PUT", path, said.encode());
  }

  @Test
  void aRenewalTellsOfTheMachineThatReplacedADeadOne() {
    house.warm("m1");
    JsonObject session = granted();
    long epoch = session.getLong("epoch");
    assertThat(renew(session, epoch, false).status()).isEqualTo(200);
    house.warm("m2");
    assertThat(house.lose("m1", session.getString("id"), epoch))
        .isInstanceOf(LoseResult.Replaced.class);

    Client.Reply heard = renew(session, epoch, false);
    assertThat(heard.status()).as(heard.text()).isEqualTo(200);
    JsonObject other = heard.json().getJsonObject("replacement");
    assertThat(other.getString("id")).isEqualTo(session.getString("id"));
    assertThat(other.getJsonObject("machine").getString("id")).isEqualTo("m2");
    assertThat(other.getJsonObject("credentials").getString("password")).isEqualTo(House.PASSWORD);
    assertThat(other.getLong("epoch")).isGreaterThan(epoch);

    Client.Reply used = renew(session, other.getLong("epoch"), false);
    assertThat(used.json().containsKey("replacement")).isFalse();
    assertThat(renew(session, epoch, false).problem()).isEqualTo("epoch-stale");
  }

  @Test
  void aReceiptBringsBackASessionThatTheStoreHasLost() {
    house.warm("m1");
    JsonObject session = granted();
    long epoch = session.getLong("epoch");

    wipe();
    assertThat(renew(session, epoch, true).status()).as("before it is rebuilt").isEqualTo(503);
    house.lead();

    assertThat(renew(session, epoch, false).status()).as("without a receipt").isEqualTo(404);
    Client.Reply back = renew(session, epoch, true);
    assertThat(back.status()).as(back.text()).isEqualTo(200);
    assertThat(back.json().getLong("epoch")).isEqualTo(epoch);
    assertThat(gateway.get("/v1/sessions/" + session.getString("id")).json().getString("state"))
        .isEqualTo("connected");
  }
}
