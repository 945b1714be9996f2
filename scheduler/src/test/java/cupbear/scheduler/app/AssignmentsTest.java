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

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The request path, over the real rules of the store and a wire that a test can cut. */
class AssignmentsTest {
  private static final Caller GATEWAY = new Caller("gw");

  private final House house = new House();
  private final Wrapped wrapped = new Wrapped();
  private final GrantMemory memory = new GrantMemory(house.time);
  private final RegionBoard board = new RegionBoard(house.time);
  private final Claims claims = wrapped.claims(house.connection.claims());
  private final Assignments assignments =
      new Assignments(
          new Pools(List.of(house.pool(IAD, LHR))),
          house.ports(claims, house.connection.book()),
          memory,
          board);

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
    board.heard(POOL, LHR, 0, ofSeconds(40));
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
  void aLostWordIsMadeUpForByLooking() {
    open();
    List<java.util.function.Consumer<?>> nobody = new ArrayList<>();
    Assignments deaf =
        new Assignments(
            new Pools(List.of(house.pool(IAD))),
            house.ports(deaf(nobody), house.connection.book()),
            memory,
            board);
    Waiting waiting = deaf.assign(request("k1", ofSeconds(20), List.of(), Map.of(), "b"), GATEWAY);
    replica();
    house.time.pass(ofSeconds(12));
    assertThat(nobody).hasSize(1);
    assertThat(assigned(waiting).queueTime()).isLessThan(ofSeconds(12));
  }

  private Claims deaf(List<java.util.function.Consumer<?>> nobody) {
    Wrapped quiet = new Wrapped();
    quiet.wire =
        (call, carryOut) -> {
          if (!call.equals("onGrant")) return carryOut.get();
          nobody.add(any -> {});
          return Promise.promise();
        };
    return quiet.claims(house.connection.claims());
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
  void whoHangsUpWhileItsClaimTravelsGivesTheMachineBack() {
    fill(1);
    List<Runnable> travelling = new ArrayList<>();
    wrapped.wire =
        (call, carryOut) -> {
          if (!call.equals("claim")) return carryOut.get();
          Promise<Object> promise = Promise.promise();
          travelling.add(
              () -> ((io.vertx.core.Future<?>) carryOut.get()).onSuccess(promise::complete));
          return promise.future();
        };
    Waiting waiting = assign("k1");
    waiting.cancel();
    travelling.forEach(Runnable::run);
    assertThat(standing(Standing.WARM)).isOne();
    assertThat(memory.of(POOL)).isEmpty();
  }

  @Test
  void anOldProofIsRenewedInTheCallersTime() {
    fill(1).kill();
    house.time.pass(ofSeconds(12));
    house.probed.clear();
    assigned(assign("k1"));
    assertThat(house.probed).containsExactly("m1 GUACD");
  }

  @Test
  void aVeryOldProofIsRenewedInFull() {
    fill(1).kill();
    house.time.pass(ofSeconds(40));
    house.probed.clear();
    assigned(assign("k1"));
    assertThat(house.probed).containsExactly("m1 FULL");
  }

  @Test
  void aMachineThatFailsAtTheDoorIsNotGivenOut() {
    fill(2).kill();
    house.time.pass(ofSeconds(40));
    house.verdict = Verdict.STRIKE;
    Waiting waiting = assign("k1");
    house.time.pass(ofSeconds(6));
    assertThat(answer(waiting)).isInstanceOf(Answer.NoCapacity.class);
    assertThat(standing(Standing.WARM)).isZero();
    assertThat(standing(Standing.ASSIGNED)).isZero();
    assertThat(memory.of(POOL)).isEmpty();
  }

  @Test
  void afterOneThatFailedAtTheDoorTheSameKeyComesToItsSuccessor() {
    fill(2).kill();
    house.time.pass(ofSeconds(40));
    house.verdict = Verdict.STRIKE;
    wrapped.wire =
        (call, carryOut) -> {
          if (call.equals("fail")) house.verdict = Verdict.HEALTHY;
          return carryOut.get();
        };
    Answer.Assigned second = assigned(assign("k1"));
    Answer.Assigned again = assigned(assign("k1"));
    assertThat(again.grant().session()).isEqualTo(second.grant().session());
    assertThat(standing(Standing.ASSIGNED)).isOne();
    assertThat(standing(Standing.DRAINING)).isOne();
  }

  @Test
  void aProberThatCannotAskSpeaksAgainstNobody() {
    fill(1).kill();
    house.time.pass(ofSeconds(40));
    house.verdict = Verdict.PROBER_FAULT;
    assigned(assign("k1"));
  }

  @Test
  void aClaimWhoseAnswerIsLostIsRepeatedAndTakesOneMachine() {
    fill(2);
    int[] lost = {2};
    wrapped.wire =
        (call, carryOut) -> {
          Object answer = carryOut.get();
          boolean lose = call.equals("claim") && lost[0]-- > 0;
          return lose ? Wrapped.trouble(StoreTrouble.Kind.UNSURE) : answer;
        };
    Waiting waiting = assign("k1");
    house.time.pass(ofSeconds(1));
    assertThat(assigned(waiting).replayed()).isFalse();
    assertThat(standing(Standing.ASSIGNED)).isOne();
  }

  @Test
  void aStoreThatIsAwayIsSaidAtOnce() {
    wrapped.wire = (call, carryOut) -> Wrapped.trouble(StoreTrouble.Kind.UNREACHABLE);
    assertThat(answer(assign("k1"))).isEqualTo(new Answer.StoreDown(ofSeconds(2)));
  }

  @Test
  void aStoreThatNeverAnswersIsGivenUpInTheCallersTime() {
    wrapped.wire = (call, carryOut) -> Promise.promise().future();
    Waiting waiting = assign("k1");
    house.time.pass(ofSeconds(8));
    assertThat(answer(waiting)).isInstanceOf(Answer.StoreDown.class);
  }

  @Test
  void aStoreThatIsBeingRebuiltIsSaidAtOnce() {
    fill(1);
    house.store.wipe();
    assertThat(answer(assign("k1"))).isInstanceOf(Answer.Recovering.class);
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
    var session = assigned(assign("k1")).grant().session();
    var failed = assignments.fail(POOL, session, GATEWAY, "black screen", true).result();
    var again = assignments.fail(POOL, session, GATEWAY, "black screen", true).result();
    assertThat(session(failed)).isEqualTo(session(again));
    assertThat(standing(Standing.ASSIGNED)).isOne();
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

  /** A store that is open for business, without a Machine. */
  private void open() {
    house.warmMin = 0;
    fill(0).kill();
    house.time.pass(ofSeconds(16));
    house.warmMin = 1;
  }

  private Supervisor fill(int warm) {
    house.warmMin = warm;
    Supervisor supervisor = replica();
    house.time.pass(ofSeconds(20));
    assertThat(standing(Standing.WARM)).isEqualTo(warm);
    return supervisor;
  }

  private void fillNow() {
    replica();
    house.time.pass(ofSeconds(40));
  }

  private Supervisor replica() {
    Supervisor supervisor =
        new Supervisor(
            new ReplicaId("r" + house.time.nanos()),
            new Pools(List.of(house.pool(IAD))),
            house.ports(),
            house.threads(),
            memory,
            new RegionBoard(house.time));
    supervisor.start();
    return supervisor;
  }

  private long standing(Standing standing) {
    return house.connection.book().snapshot(POOL, IAD).result().machines().stream()
        .map(Booked::state)
        .filter(state -> state.standing() == standing)
        .count();
  }

  private Waiting assign(String key) {
    return assignments.assign(request(key, null, List.of(), Map.of(), "body"), GATEWAY);
  }

  private static SessionRequest request(
      String key,
      @Nullable Duration patience,
      List<Region> regions,
      Map<String, String> labels,
      String body) {
    return new SessionRequest(POOL, regions, null, "acme", patience, labels, key, body);
  }

  private static Answer answer(Waiting waiting) {
    assertThat(waiting.answer().isComplete()).as("answered").isTrue();
    return waiting.answer().result();
  }

  private static Answer.Assigned assigned(Waiting waiting) {
    return answer(waiting) instanceof Answer.Assigned yes ? yes : fail("no: " + answer(waiting));
  }

  private String bad(SessionRequest request) {
    Answer answer = answer(assignments.assign(request, GATEWAY));
    return answer instanceof Answer.BadRequest bad ? bad.field() : fail("not bad: " + answer);
  }
}
