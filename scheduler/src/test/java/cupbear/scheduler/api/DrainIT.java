// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Going away in good order. */
@Timeout(30)
class DrainIT {
  @TempDir Path folder;

  private static CompletableFuture<Client.Reply> waiting(House house, Client gateway) {
    CompletableFuture<Client.Reply> waiting =
        gateway.sendLater(
            "POST",
            "/v1/sessions",
            "{\"pool\":\"viewers\",\"wait\":\"30s\"}",
            "Idempotency-Key",
            Client.key());
    await().until(() -> house.assignments.waiting() == 1);
    return waiting;
  }

  @Test
  void whatIsUnderWayFinishesAndNothingNewBegins() {
    try (House house = new House(folder, Store.memory(StoreRules.DEFAULT))) {
      Client gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
      Client ops = new Client(house.server.opsPort(), null);
      CompletableFuture<Client.Reply> waiting = waiting(house, gateway);
      Future<Void> drained = house.server.drain();
      Client.Reply refused = gateway.create("{\"pool\":\"viewers\"}");
      assertThat(refused.problem()).isEqualTo("shutting-down");
      assertThat(refused.header("retry-after")).isEqualTo("0");
      assertThat(ops.get("/readyz?verbose").text()).contains("[-] draining", "not ready");
      assertThat(ops.get("/livez").status()).isEqualTo(200);
      assertThat(drained.isComplete()).isFalse();
      house.warm("m1");
      assertThat(waiting.join().status()).isEqualTo(201);
      House.get(drained);
    }
  }

  @Test
  void whoWaitsLongerThanThereIsTimeIsCutOffAndItsPlaceIsFree() {
    House house =
        new House(
            folder,
            Store.memory(StoreRules.DEFAULT),
            Terms.DEFAULT,
            config ->
                new ApiConfig(
                    config.api(),
                    config.ops(),
                    config.guard(),
                    config.limits(),
                    Duration.ofMillis(300),
                    1,
                    3));
    try (house) {
      Client gateway = new Client(house.server.port(), house.token(Role.GATEWAY));
      CompletableFuture<Client.Reply> waiting = waiting(house, gateway);
      House.get(house.server.close());
      await().until(waiting::isDone);
      assertThat(waiting).isCompletedExceptionally();
      assertThat(waiting.handle((reply, failure) -> failure).join())
          .isInstanceOf(CompletionException.class);
      await().until(() -> house.assignments.waiting() == 0);
    }
  }
}
