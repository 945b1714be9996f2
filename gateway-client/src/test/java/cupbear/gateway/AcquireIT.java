// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asking for a session, over real sockets, with time turned by hand. */
class AcquireIT extends ClientFixture {

  @Test
  void aGrantBecomesASession() {
    ScriptedScheduler scheduler = scheduler().then(201, ScriptedScheduler.session(812));
    Session session = acquired(client(scheduler));

    Grant grant = session.grant();
    assertThat(grant.machine().guacdPort()).isEqualTo(4822);
    assertThat(grant.epoch()).isEqualTo(812);
    assertThat(grant.queued()).isEqualTo(Duration.ofMillis(3));
    assertThat(grant.lease().renewWithin()).isEqualTo(Duration.ofSeconds(20));
    assertThat(grant.credentials().orElseThrow().password()).isEqualTo("example-only");
    ScriptedScheduler.Seen asked = scheduler.seen().getFirst();
    assertThat(asked.line()).isEqualTo("POST /v1/sessions");
    assertThat(asked.authorization()).isEqualTo("Bearer " + TOKEN);
    assertThat(asked.key()).matches("[A-Za-z0-9_-]{16,64}");
    assertThat(asked.json()).isEqualTo(REQUEST.toJson());
  }

  @Test
  void aLostAnswerIsAskedForAgainWithTheSameKeyAndBody() {
    ScriptedScheduler scheduler =
        scheduler().thenHangUp().then(201, ScriptedScheduler.session(812));
    Future<Session> asked = client(scheduler).acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    time.awaitPause();
    time.advanceToNext();

    assertThat(get(asked).grant().epoch()).isEqualTo(812);
    assertThat(scheduler.seen()).hasSize(2);
    assertThat(scheduler.seen().get(0).key()).isEqualTo(scheduler.seen().get(1).key());
    assertThat(scheduler.seen().get(0).body()).isEqualTo(scheduler.seen().get(1).body());
  }

  @Test
  void eachSessionHasItsOwnKey() {
    ScriptedScheduler scheduler =
        scheduler().then(201, ScriptedScheduler.session(1)).then(201, ScriptedScheduler.session(2));
    Cupbear client = client(scheduler);
    acquired(client);
    acquired(client);
    assertThat(scheduler.seen().get(0).key()).isNotEqualTo(scheduler.seen().get(1).key());
  }

  @Test
  void noCapacityIsWaitedOutAsLongAsItSays() {
    ScriptedScheduler scheduler =
        scheduler().thenProblem(503, "no-capacity", 4).then(201, ScriptedScheduler.session(812));
    Future<Session> asked = client(scheduler).acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    // The attempt's own alarm is gone; what is left is the pause: 4 s and half of 100 ms.
    time.awaitPause();
    assertThat(time.advanceToNext()).isEqualTo(Duration.ofMillis(4050));
    assertThat(get(asked).id()).isEqualTo(ID);
  }

  @Test
  void aPauseBeyondTheDeadlineIsNotWaitedFor() {
    ScriptedScheduler scheduler = scheduler().thenProblem(503, "no-capacity", 60);
    Future<Session> asked =
        builder(scheduler).deadline(Duration.ofSeconds(10)).build().acquire(REQUEST);
    assertThat(refusal(asked))
        .isEqualTo(new Refusal.NoCapacity(Duration.ofSeconds(60), "because no-capacity"));
    assertThat(time.alarms()).isZero();
  }

  @Test
  void theDeadlineEndsASilence() {
    ScriptedScheduler scheduler = scheduler().thenSilence();
    Future<Session> asked =
        builder(scheduler).deadline(Duration.ofSeconds(3)).build().acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    time.advance(Duration.ofMillis(2999));
    assertThat(asked.isComplete()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(refusal(asked)).isInstanceOf(Refusal.TimedOut.class);
    // The scheduler must see that nobody waits any more.
    await().until(() -> scheduler.connections() == 0);
  }

  @ParameterizedTest(name = "{0} {1} → {2}, never again")
  @CsvSource(
      textBlock =
          """
          400, invalid-request,        Invalid
          400, idempotency-key-missing, Invalid
          401, unauthorized,           Unauthorized
          403, forbidden,              Forbidden
          404, not-found,              NotFound
          405, method-not-allowed,     Other
          408, request-timeout,        Other
          409, lease-lost,             LeaseLost
          413, body-too-large,         Other
          415, unsupported-media-type, Other
          422, idempotency-key-reused, Other
          302, moved,                  Other
          """)
  void aRefusalOfTheRequestIsFinal(int status, String type, String refusal) {
    ScriptedScheduler scheduler = scheduler().thenProblem(status, type, null);
    Future<Session> asked = client(scheduler).acquire(REQUEST);
    assertThat(refusal(asked).getClass().getSimpleName()).isEqualTo(refusal);
    assertThat(scheduler.seen()).hasSize(1);
    assertThat(time.alarms()).isZero();
  }

  @ParameterizedTest(name = "{0} {1} passes")
  @CsvSource(
      textBlock =
          """
          429, rate-limited
          500, internal-error
          503, no-capacity
          503, queue-full
          503, store-unavailable
          503, recovering
          503, shutting-down
          504, timeout
          502, none-of-ours
          """)
  void aRefusalOfTheMomentPasses(int status, String type) {
    ScriptedScheduler scheduler =
        scheduler().thenProblem(status, type, 1).then(201, ScriptedScheduler.session(812));
    Future<Session> asked = client(scheduler).acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    time.awaitPause();
    time.advanceToNext();
    assertThat(get(asked).id()).isEqualTo(ID);
    assertThat(scheduler.seen().get(0).key()).isEqualTo(scheduler.seen().get(1).key());
  }

  @Test
  void aDeadReplicaCostsNoPause() throws Exception {
    ScriptedScheduler alive = scheduler().then(201, ScriptedScheduler.session(812));
    String dead;
    try (ServerSocket socket = new ServerSocket(0)) {
      dead = "http://127.0.0.1:" + socket.getLocalPort();
    }
    Cupbear client = builder().url(dead).url(alive.url()).build();
    assertThat(acquired(client).id()).isEqualTo(ID);
  }

  @Test
  void aReplicaThatStopsHandsOverToTheNextAndIsNotAskedAgain() {
    ScriptedScheduler stopping = scheduler().thenProblem(503, "shutting-down", 0);
    ScriptedScheduler alive =
        scheduler().then(201, ScriptedScheduler.session(1)).then(201, ScriptedScheduler.session(2));
    Cupbear client = client(stopping, alive);
    acquired(client);
    acquired(client);
    assertThat(stopping.seen()).hasSize(1);
    assertThat(alive.seen()).hasSize(2);
    assertThat(alive.seen().getFirst().key()).isEqualTo(stopping.seen().getFirst().key());
  }

  @Test
  void allReplicasDeadIsUnreachable() throws Exception {
    String dead;
    try (ServerSocket socket = new ServerSocket(0)) {
      dead = "http://127.0.0.1:" + socket.getLocalPort();
    }
    // With these dice the first pause is 50 ms: too late for this deadline.
    Cupbear client = builder().url(dead).deadline(Duration.ofMillis(40)).build();
    assertThat(refusal(client.acquire(REQUEST))).isInstanceOf(Refusal.Unreachable.class);
  }

  @Test
  void aUserWhoLeavesIsNotQueuedFor() {
    ScriptedScheduler scheduler = scheduler().thenSilence();
    Promise<Void> left = Promise.promise();
    Future<Session> asked = client(scheduler).acquire(REQUEST, left.future());
    await().until(() -> scheduler.seen().size() == 1);
    left.complete();
    assertThat(refusal(asked)).isEqualTo(new Refusal.GivenUp("the user has left"));
    await().until(() -> scheduler.connections() == 0);
    assertThat(time.alarms()).isZero();
  }

  @Test
  void aWaitLongerThanTheDeadlineIsToldAtOnce() {
    ScriptedScheduler scheduler = scheduler();
    Cupbear client = builder(scheduler).deadline(Duration.ofSeconds(10)).build();
    Refusal refusal = refusal(client.acquire(REQUEST.waiting(Duration.ofSeconds(30))));
    assertThat(refusal).isInstanceOf(Refusal.Invalid.class);
    assertThat(refusal.detail()).contains("30s").contains("10s").contains("deadline");
    assertThat(scheduler.seen()).isEmpty();
  }

  @Test
  void headersOfTheCallerGoAlongButDoNotReplaceTheToken() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    ScriptedScheduler scheduler =
        scheduler().then(201, ScriptedScheduler.session(812)).thenEmpty(204);
    Cupbear client =
        builder(scheduler)
            .headers(() -> Map.of("traceparent", trace, "Authorization", "Bearer stolen"))
            .build();
    get(acquired(client).connected());
    assertThat(scheduler.seen())
        .allSatisfy(seen -> {
          assertThat(seen.trace()).isEqualTo(trace);
          assertThat(seen.authorization()).isEqualTo("Bearer " + TOKEN);
        });
  }

  @Test
  void theAnswerComesBackToTheCallersContext() {
    ScriptedScheduler scheduler = scheduler().then(201, ScriptedScheduler.session(812));
    Cupbear client = client(scheduler);
    Context mine = VERTX.getOrCreateContext();
    AtomicReference<Context> where = new AtomicReference<>();
    mine.runOnContext(
        there -> client.acquire(REQUEST).onSuccess(session -> where.set(Vertx.currentContext())));
    await().until(() -> where.get() != null);
    assertThat(where.get()).isSameAs(mine);
  }

  @Test
  void closingTheClientGivesEverythingBackOnce() {
    ScriptedScheduler scheduler =
        scheduler().then(201, ScriptedScheduler.session(812)).thenSilence().thenEmpty(204);
    Cupbear client = client(scheduler);
    acquired(client);
    Future<Session> waiting = client.acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 2);

    Future<Void> closed = client.shutdown();
    client.close();
    get(closed);
    assertThat(refusal(waiting)).isEqualTo(new Refusal.GivenUp("this client is closed"));
    assertThat(scheduler.count("DELETE /v1/sessions/" + ID)).isEqualTo(1);
    assertThat(time.alarms()).isZero();
    await().until(() -> scheduler.connections() == 0);
    assertThat(refusal(client.acquire(REQUEST))).isInstanceOf(Refusal.GivenUp.class);
  }

  @Test
  void aClientWithItsOwnVertxCanBeClosedTwiceAndRefusesKindlyAfterwards() {
    ScriptedScheduler scheduler =
        scheduler()
            .then(201, ScriptedScheduler.session(812))
            .then(201, ScriptedScheduler.session(813))
            .thenEmpty(204)
            .thenEmpty(204);
    Cupbear client = Cupbear.connect(scheduler.url(), TOKEN);
    Session first = get(client.acquire(REQUEST));
    Session second = get(client.acquire(REQUEST));
    get(first.release());
    get(client.shutdown());
    client.close();
    second.close();
    assertThat(refusal(second.connected())).isInstanceOf(Refusal.GivenUp.class);
    assertThat(refusal(client.acquire(REQUEST))).isInstanceOf(Refusal.GivenUp.class);
    assertThat(scheduler.count("DELETE /v1/sessions/" + ID)).isEqualTo(2);
    await().until(() -> scheduler.connections() == 0);
  }

  @Test
  void aThreadMayWaitForIt() throws Exception {
    ScriptedScheduler scheduler =
        scheduler()
            .then(201, ScriptedScheduler.session(812))
            .thenProblem(401, "unauthorized", null);
    Cupbear client = client(scheduler);
    assertThat(client.acquireBlocking(REQUEST).id()).isEqualTo(ID);
    assertThatThrownBy(() -> client.acquireBlocking(REQUEST))
        .isInstanceOf(RefusedException.class)
        .hasMessage("Unauthorized: because unauthorized");
  }

  @Test
  void aThreadThatIsInterruptedLeavesTheQueue() throws Exception {
    ScriptedScheduler scheduler = scheduler().thenSilence();
    Cupbear client = client(scheduler);
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                client.acquireBlocking(REQUEST);
              } catch (InterruptedException left) {
                ended.set(left);
              }
            });
    await().until(() -> scheduler.seen().size() == 1);
    waiting.interrupt();
    waiting.join();
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    await().until(() -> scheduler.connections() == 0);
  }

  @Test
  void anEventLoopMayNotWaitForIt() {
    Cupbear client = client(scheduler());
    AtomicReference<Throwable> refused = new AtomicReference<>();
    VERTX.runOnContext(there -> {
      try {
        client.acquireBlocking(REQUEST);
      } catch (IllegalStateException | InterruptedException told) {
        refused.set(told);
      }
    });
    await().until(() -> refused.get() != null);
    assertThat(refused.get()).hasMessageContaining("use acquire(…)");
  }
}
