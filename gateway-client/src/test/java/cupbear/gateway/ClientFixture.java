// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

/** A client whose clock is turned by hand, and schedulers that follow a script. */
abstract class ClientFixture {
  static final String TOKEN = "cb_gw1_kept-to-itself";
  static final String ID = ScriptedScheduler.session(1).getString("id");
  static final SessionRequest REQUEST = SessionRequest.of("viewers").in("iad");

  /** One for all: it is the clients and schedulers that must be fresh. */
  static final Vertx VERTX = Vertx.vertx();

  private static final List<Throwable> UNHANDLED = new CopyOnWriteArrayList<>();

  static {
    VERTX.exceptionHandler(UNHANDLED::add);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
  }

  final HandTurnedTime time = new HandTurnedTime();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<ScriptedScheduler> schedulers = new ArrayList<>();

  ScriptedScheduler scheduler() {
    ScriptedScheduler scheduler = new ScriptedScheduler(VERTX);
    opened.add(scheduler);
    schedulers.add(scheduler);
    return scheduler;
  }

  CupbearBuilder builder(ScriptedScheduler... replicas) {
    CupbearBuilder builder = Cupbear.builder().token(TOKEN).vertx(VERTX).time(time).dice(() -> 0.5);
    for (ScriptedScheduler replica : replicas) builder.url(replica.url());
    return builder;
  }

  Cupbear client(ScriptedScheduler... replicas) {
    return builder(replicas).build();
  }

  /** Acquires from a scheduler whose script begins with a grant. */
  Session acquired(Cupbear client) {
    return get(client.acquire(REQUEST));
  }

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  static Refusal refusal(Future<?> future) {
    await().until(future::isComplete);
    assertThat(future.failed()).as("%s", future).isTrue();
    return Refusal.of(future.cause());
  }

  @AfterEach
  void everyRequestWasAsTheApiSays() throws Exception {
    assertThat(UNHANDLED).as("exceptions that nobody handled").isEmpty();
    for (ScriptedScheduler each : schedulers) assertThat(each.complaints()).isEmpty();
    for (AutoCloseable each : opened) each.close();
  }
}
