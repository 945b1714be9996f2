// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeping, losing and giving back a session. With these dice a renewal is due after 12.5 s. */
class SessionIT extends ClientFixture {
  private static final String LEASE = "PUT /v1/sessions/" + ID + "/lease";
  private static final String DELETE = "DELETE /v1/sessions/" + ID;
  private static final Duration RENEWAL = Duration.ofMillis(12_500);

  private final List<Refusal> lost = new CopyOnWriteArrayList<>();
  private final List<Grant> replaced = new CopyOnWriteArrayList<>();
  private ScriptedScheduler scheduler;
  private Session session;

  SessionIT() {
    scheduler = scheduler();
    session = begin();
  }

  @BeforeEach
  void listening() {
    session.onLost(lost::add).onReplaced(replaced::add);
  }

  private Session begin() {
    scheduler.then(201, ScriptedScheduler.session(812));
    Session acquired = acquired(client(scheduler));
    time.awaitPause();
    return acquired;
  }

  /** Lets the next renewal happen and waits until it is over. */
  private Duration renew() {
    long before = scheduler.count(LEASE);
    time.awaitPause();
    Duration after = time.advanceToNext();
    await().until(() -> scheduler.count(LEASE) == before + 1);
    return after;
  }

  @Test
  void itRenewsAgainAndAgainWithTheNewestReceipt() {
    scheduler
        .then(200, ScriptedScheduler.renewed(812).put("receipt", "second"))
        .then(200, ScriptedScheduler.renewed(812).put("receipt", "third"));
    assertThat(renew()).isEqualTo(RENEWAL);
    await().until(() -> session.grant().receipt().equals("second"));
    time.awaitPause();
    assertThat(renew()).isEqualTo(RENEWAL);
    await().until(() -> session.grant().receipt().equals("third"));

    JsonObject second = scheduler.seen().getLast().json();
    assertThat(second.getString("receipt")).isEqualTo("second");
    assertThat(second.getLong("epoch")).isEqualTo(812);
    assertThat(lost).isEmpty();
  }

  @Test
  void aShorterLeaseIsRenewedSooner() {
    JsonObject soon = ScriptedScheduler.renewed(812);
    soon.getJsonObject("lease").put("renew_within", "4s");
    scheduler.then(200, soon).then(200, ScriptedScheduler.renewed(812));
    renew();
    time.awaitPause();
    assertThat(renew()).isEqualTo(Duration.ofMillis(2500));
  }

  @Test
  void aHostileLeaseDoesNotMakeItSpin() {
    JsonObject never = ScriptedScheduler.renewed(812);
    never.getJsonObject("lease").put("renew_within", "0ms");
    scheduler.then(200, never).then(200, ScriptedScheduler.renewed(812));
    renew();
    time.awaitPause();
    assertThat(renew()).isEqualTo(Duration.ofMillis(625));
  }

  @ParameterizedTest(name = "{0} {1} ends it")
  @CsvSource(
      textBlock =
          """
          409, lease-lost,   LeaseLost
          409, machine-lost, MachineLost
          409, epoch-stale,  EpochStale
          404, not-found,    NotFound
          401, unauthorized, Unauthorized
          """)
  void theSchedulersWordEndsIt(int status, String type, String refusal) {
    scheduler.thenProblem(status, type, null);
    renew();
    await().until(() -> lost.size() == 1);
    assertThat(lost.getFirst().getClass().getSimpleName()).isEqualTo(refusal);
    assertThat(time.alarms()).isZero();

    List<Refusal> late = new CopyOnWriteArrayList<>();
    session.onLost(late::add);
    await().until(() -> late.equals(lost));
    get(session.release());
    assertThat(refusal(session.connected())).isEqualTo(lost.getFirst());
    assertThat(scheduler.count(DELETE)).isZero();
  }

  @Test
  void anAbsentSchedulerDoesNotEndIt() {
    for (int i = 0; i < 5; i++) scheduler.thenHangUp();
    scheduler.thenProblem(503, "store-unavailable", 2).thenSilence();
    scheduler.then(200, ScriptedScheduler.renewed(812).put("receipt", "after the storm"));
    for (int i = 0; i < 6; i++) {
      renew();
      // The attempt has ended and the next one waits for its turn.
      time.awaitPause();
    }
    renew(); // silence
    time.advanceToNext(); // its time is up
    time.awaitPause();
    renew();
    await().until(() -> session.grant().receipt().equals("after the storm"));
    assertThat(lost).isEmpty();
  }

  @Test
  void aReplacementIsToldAndRenewedWithItsOwnEpoch() {
    JsonObject other = ScriptedScheduler.session(840);
    other.getJsonObject("machine").put("id", "6e82dd91c24e87");
    scheduler
        .then(200, ScriptedScheduler.renewed(840).put("replacement", other))
        .then(200, ScriptedScheduler.renewed(840));
    renew();
    await().until(() -> replaced.size() == 1);
    assertThat(replaced.getFirst().machine().id()).isEqualTo("6e82dd91c24e87");
    assertThat(session.grant()).isEqualTo(replaced.getFirst());
    time.awaitPause();
    renew();
    assertThat(scheduler.seen().getLast().json().getLong("epoch")).isEqualTo(840);
    assertThat(lost).isEmpty();
  }

  @Test
  void anOlderReplacementIsNone() {
    scheduler.then(
        200, ScriptedScheduler.renewed(812).put("replacement", ScriptedScheduler.session(700)));
    renew();
    time.awaitPause();
    assertThat(replaced).isEmpty();
    assertThat(session.grant().epoch()).isEqualTo(812);
  }

  @Test
  void connectedConfirmsWithTheEpoch() {
    scheduler.thenEmpty(204);
    get(session.connected());
    assertThat(scheduler.seen().getLast().line())
        .isEqualTo("POST /v1/sessions/" + ID + "/connected");
    assertThat(scheduler.seen().getLast().json()).isEqualTo(new JsonObject().put("epoch", 812));
  }

  @Test
  void connectedTooLateIsALoss() {
    scheduler.thenProblem(409, "lease-lost", null);
    assertThat(refusal(session.connected())).isInstanceOf(Refusal.LeaseLost.class);
    await().until(() -> lost.size() == 1);
    assertThat(time.alarms()).isZero();
  }

  @Test
  void aFailedMachineIsReplacedInTheSameCall() {
    scheduler.then(200, ScriptedScheduler.session(840)).then(200, ScriptedScheduler.renewed(840));
    Optional<Grant> grant = get(session.fail("black screen", true));
    assertThat(grant.orElseThrow().epoch()).isEqualTo(840);
    assertThat(session.grant()).isEqualTo(grant.get());
    assertThat(scheduler.seen().getLast().json())
        .isEqualTo(
            new JsonObject().put("epoch", 812).put("reason", "black screen").put("replace", true));
    time.awaitPause();
    renew();
    assertThat(scheduler.seen().getLast().json().getLong("epoch")).isEqualTo(840);
    assertThat(replaced).as("the caller knows already").isEmpty();
  }

  @Test
  void aFailedMachineWithoutReplacementEndsTheSession() {
    scheduler.thenEmpty(204);
    assertThat(get(session.fail("black screen", false))).isEmpty();
    get(session.release());
    assertThat(scheduler.count(DELETE)).isZero();
    assertThat(time.alarms()).isZero();
    assertThat(lost).isEmpty();
  }

  @Test
  void closingReleasesOnceHoweverOftenItIsCalled() {
    scheduler.thenEmpty(204);
    session.close();
    session.close();
    get(session.release());
    get(session.release());
    assertThat(scheduler.count(DELETE)).isEqualTo(1);
    assertThat(time.alarms()).isZero();
    assertThat(lost).isEmpty();
  }

  @Test
  void aReleaseThatIsNotHeardIsRepeated() {
    scheduler.thenHangUp().thenEmpty(204);
    Future<Void> released = session.release();
    await().until(() -> scheduler.count(DELETE) == 1);
    time.awaitPause();
    time.advanceToNext();
    get(released);
    assertThat(scheduler.count(DELETE)).isEqualTo(2);
  }

  @Test
  void aReleaseOfWhatIsGoneIsDone() {
    scheduler.thenProblem(404, "not-found", null);
    get(session.release());
  }

  @Test
  void closingDuringARenewalEndsBoth() {
    scheduler.thenSilence().thenEmpty(204);
    renew();
    get(session.release());
    assertThat(time.alarms()).isZero();
    assertThat(lost).isEmpty();
  }
}
