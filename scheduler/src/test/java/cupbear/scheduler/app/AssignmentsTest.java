// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.app.House.IAD;
import static cupbear.scheduler.app.House.LHR;
import static cupbear.scheduler.app.House.POOL;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PlanDigest;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What callers get: the rows of the table of answers. */
class AssignmentsTest extends Desk {
  @Test
  void aWarmMachineIsGivenAtOnce() {
    fill(1);
    house.probed.clear();
    Answer.Assigned assigned = assigned(assign("k1"));
    assertThat(house.probed).isEmpty();
    assertThat(assigned.replayed()).isFalse();
    assertThat(assigned.queueTime()).isZero();
  }

  @Test
  void theSameKeyGetsTheSameSession() {
    fill(2);
    Answer.Assigned once = assigned(assign("k1"));
    Answer.Assigned again = assigned(assign("k1"));
    assertThat(again.grant().session()).isEqualTo(once.grant().session());
    assertThat(again.replayed()).isTrue();
  }

  @Test
  void theSameKeyWithAnotherBodyIsRefused() {
    fill(1);
    assign("k1");
    SessionRequest other = request("k1", ofSeconds(5), List.of(), Map.of(), "other body");
    assertThat(answer(assignments.assign(other, GATEWAY))).isEqualTo(new Answer.KeyReused());
  }

  @Test
  void theKeyOfASessionThatIsOverIsSpent() {
    fill(1);
    var session = assigned(assign("k1")).grant().session();
    assignments.release(POOL, session, GATEWAY);
    assertThat(answer(assign("k1"))).isEqualTo(new Answer.KeySpent(session));
  }

  @Test
  void whatCannotBeServedIsSaidFieldByField() {
    assertThat(
            bad(
                new SessionRequest(
                    new PoolName("gpu"), List.of(), null, "t", null, Map.of(), "k1", "body")))
        .isEqualTo("pool");
    assertThat(bad(request("k1", null, List.of(new Region("xxx")), Map.of(), "b")))
        .isEqualTo("region");
    assertThat(bad(request("k1", ofSeconds(31), List.of(), Map.of(), "b"))).isEqualTo("wait");
    assertThat(bad(request("k1", null, List.of(), Map.of("gpu", "true"), "b")))
        .isEqualTo("labels.gpu");
    assertThat(wrapped.calls).doesNotContain("claim");
  }

  @Test
  void whoDoesNotWaitIsToldWhenToComeBack() {
    fill(0);
    board.heard(
        POOL, LHR, new RegionBoard.Word(Instant.EPOCH, 0, ofSeconds(40), PlanDigest.NOTHING));
    Answer answer =
        answer(assignments.assign(request("k1", ZERO, List.of(LHR), Map.of(), "b"), GATEWAY));
    assertThat(answer).isEqualTo(new Answer.NoCapacity(ofSeconds(40), List.of(LHR, IAD)));
  }

  @Test
  void aWaiterIsServedAsSoonAsAMachineIsProven() {
    open();
    Waiting waiting = assign("k1");
    assertThat(waiting.answer().isComplete()).isFalse();
    replica();
    house.time.pass(ofMillis(4900));
    assertThat(assigned(waiting).queueTime()).isBetween(ofMillis(1), ofSeconds(5));
    assertThat(assignments.waiting()).isZero();
  }

  @Test
  void whoseTimeIsUpIsToldAndItsPlaceIsFree() {
    open();
    Waiting waiting = assign("k1");
    house.time.pass(ofMillis(4990));
    assertThat(waiting.answer().isComplete()).isFalse();
    house.time.pass(ofMillis(20));
    assertThat(answer(waiting)).isInstanceOf(Answer.NoCapacity.class);
    assertThat(assignments.waiting()).isZero();
    fillNow();
    assertThat(standing(Standing.WARM)).isOne();
  }

  @Test
  void whoHangsUpGivesItsPlaceBack() {
    open();
    Waiting waiting = assign("k1");
    waiting.cancel();
    assertThat(answer(waiting)).isEqualTo(new Answer.HungUp());
    fillNow();
    assertThat(standing(Standing.WARM)).isOne();
    assertThat(standing(Standing.ASSIGNED)).isZero();
  }

  @Test
  void grantsAreRememberedUntilTheyEndOrAMinuteHasPassed() {
    fill(2);
    var one = assigned(assign("k1")).grant();
    var two = assigned(assign("k2")).grant();
    assertThat(memory.of(POOL)).containsExactlyInAnyOrder(one, two);
    assignments.release(POOL, one.session(), GATEWAY);
    assertThat(memory.of(POOL)).containsExactly(two);
    house.time.pass(ofSeconds(61));
    assertThat(memory.of(POOL)).isEmpty();
  }

  @Test
  void aRenewedSessionIsRememberedForAnotherMinute() {
    fill(1);
    var grant = assigned(assign("k1")).grant();
    assignments.confirm(POOL, grant.session(), GATEWAY);
    house.time.pass(ofSeconds(40));
    assertThat(assignments.renew(POOL, grant.session(), GATEWAY, grant.epoch(), null).result())
        .isInstanceOf(SessionResult.Alive.class);
    house.time.pass(ofSeconds(40));
    assertThat(memory.of(POOL)).hasSize(1);
  }

  @Test
  void aFailedSessionIsReplacedOnceHoweverOftenThatIsSaid() {
    fill(3);
    var grant = assigned(assign("k1")).grant();
    var failed = failed(grant);
    var again = failed(grant);
    assertThat(session(failed)).isEqualTo(session(again));
    assertThat(standing(Standing.ASSIGNED)).isOne();
  }

  private Assignments.Failed failed(Grant grant) {
    return assignments
        .fail(POOL, grant.session(), GATEWAY, grant.epoch(), "black screen", true)
        .result();
  }

  @Test
  void theKeyOfAFailedSessionIsSpentThoughItWasNeverConnected() {
    fill(3);
    var grant = assigned(assign("k1")).grant();
    assignments.fail(POOL, grant.session(), GATEWAY, grant.epoch(), "black screen", false);
    assertThat(assign("k1").answer().result()).isEqualTo(new Answer.KeySpent(grant.session()));
  }

  private static SessionId session(Assignments.Failed failed) {
    return failed.replacement() instanceof Answer.Assigned next
        ? next.grant().session()
        : fail("not replaced: " + failed);
  }

  @Test
  void somebodyElsesSessionIsNotFound() {
    fill(1);
    var session = assigned(assign("k1")).grant().session();
    Caller other = new Caller("other");
    assertThat(assignments.get(POOL, session, other).result()).isEmpty();
    assertThat(assignments.list(POOL, other).result()).isEmpty();
    assertThat(assignments.get(POOL, session, GATEWAY).result()).isPresent();
    assertThat(assignments.list(POOL, null).result()).hasSize(1);
  }
}
