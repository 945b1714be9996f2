// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.app.House.IAD;
import static cupbear.scheduler.app.House.POOL;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What callers get when proofs are old, answers are lost, or the store is away. */
class AssignmentsTroubleTest extends Desk {
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
  void aStoreThatFallsSilentWhileSomebodyWaitsIsGivenUpSoonAfter() {
    open();
    Waiting waiting = assign("k1");
    wrapped.wire = (call, carryOut) -> Promise.promise().future();
    house.time.pass(ofSeconds(9));
    assertThat(answer(waiting)).isInstanceOf(Answer.StoreDown.class);
    assertThat(assignments.waiting()).isZero();
  }

  @Test
  void aStoreThatIsBeingRebuiltIsSaidAtOnce() {
    fill(1);
    house.store.wipe();
    assertThat(answer(assign("k1"))).isInstanceOf(Answer.Recovering.class);
  }
}
