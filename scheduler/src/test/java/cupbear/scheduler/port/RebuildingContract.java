// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** After lost data: how grants, Machines and sessions come back, and which do not. */
abstract class RebuildingContract extends LossContract {
  // ---- grants that replicas remember

  @Test
  @DisplayName("lost writes: a reported grant is put back, session, key and Machine")
  void grantPutBack() {
    warm("m1");
    Runnable failover = store.standby();
    Grant lost = granted("k1");
    failover.run();
    recoverWith(a, List.of(lost));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    assertThat(view(lost.session()).grant()).isEqualTo(lost);
    assertThat(claim(request("k1"))).isEqualTo(new ClaimResult.Granted(lost, true));
    assertThat(get(a.claims().renew(call(lost), lost.epoch(), null)))
        .isInstanceOf(SessionResult.Alive.class);
  }

  @Test
  @DisplayName("wiped: a reported grant is put back, and its leader says what Machine it was")
  void grantPutBackAfterWipe() {
    warm("m1");
    Grant lost = granted("k1");
    Booked known = book("m1");
    store.wipe();
    recoverWith(a, List.of(lost), List.of(known), Set.of(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    assertThat(book("m1").name()).isEqualTo("name-m1");
    assertThat(book("m1").template()).isEqualTo(known.template());
    assertThat(view(lost.session()).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("a reported grant is not put back when its Machine has a newer one")
  void newerGrantWins() {
    warm("m1");
    Runnable failover = store.standby();
    Grant first = granted(request("k1"));
    var unused = get(a.claims().leave(POOL, waiterOf(first), WaitResult.Leaving.HUNG_UP));
    Grant second = granted("k2");
    assertThat(second.machine()).isEqualTo(first.machine());
    failover.run();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A, B), List.of(second));
    report(b, B, Set.of(B), List.of(first));
    reopen(List.of(), Set.of());
    assertThat(view(second.session()).stage()).isEqualTo(Stage.GRANTED);
    assertThat(get(a.claims().session(POOL, first.session()))).isEmpty();
  }

  @Test
  @DisplayName("a reported grant replaces an older one that the store still has")
  void olderGrantLoses() {
    warm("m1");
    Grant first = granted("k1");
    Runnable failover = store.standby();
    var unused = get(a.claims().leave(POOL, waiterOf(first), WaitResult.Leaving.HUNG_UP));
    Grant second = granted("k2");
    failover.run();
    recoverWith(a, List.of(second));
    assertThat(view(first.session()).ended()).isEqualTo(Ended.MACHINE_LOST);
    assertThat(view(second.session()).stage()).isEqualTo(Stage.GRANTED);
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("a reported grant that the store knows to be over stays over")
  void overStaysOver() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    store.standby().run();
    recoverWith(b, List.of(grant));
    assertThat(view(grant.session()).ended()).isEqualTo(Ended.RELEASED);
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("a waiter that had been granted in what was lost has its Machine again")
  void waiterPutBack() {
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    Runnable failover = store.standby();
    Grant lost = ((ProveResult.Granted) prove("m1", IAD)).grant();
    failover.run();
    recoverWith(a, List.of(lost));
    assertThat(get(a.claims().look(POOL, waiter))).isEqualTo(new WaitResult.Granted(lost));
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isZero();
  }

  @Test
  @DisplayName("a waiter that was lost is unheard of, and asks again with its key")
  void waiterLost() {
    Waiter waiter = queued("k1");
    store.wipe();
    recoverWith(a, List.of());
    assertThat(get(a.claims().look(POOL, waiter))).isEqualTo(new WaitResult.Unheard());
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("a session that began and ended in what was lost: its Machine is wiped first")
  void endedInWhatWasLost() {
    warm("m1");
    Runnable failover = store.standby();
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    failover.run();
    recoverWithEnded(List.of(grant));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(get(a.claims().session(POOL, grant.session()))).isEmpty();
  }

  @Test
  @DisplayName("wiped: a Machine whose session ended lately is drained, whoever remembers it warm")
  void endedBeforeTheWipe() {
    warm("m1");
    Booked known = book("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    store.wipe();
    get(a.recovery().state(POOL));
    var ended = new ReplicaReport(A, Set.of(A, B), List.of(), List.of(grant));
    get(a.recovery().report(POOL, ended));
    report(b, B, Set.of(B), List.of(grant));
    reopen(List.of(known), Set.of());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(book("m1").name()).isEqualTo("name-m1");
    assertThat(get(a.claims().session(POOL, grant.session()))).isEmpty();
  }

  @Test
  @DisplayName("wiped: an older session's end on a Machine does not stop the one that has it now")
  void olderEndNewerGrant() {
    warm("m1");
    ClaimRequest first = request("k1");
    Grant older = granted(first);
    var unused = get(a.claims().leave(POOL, first.proposed(), WaitResult.Leaving.HUNG_UP));
    store.pass(Duration.ofMillis(20));
    Grant newer = granted("k2");
    store.wipe();
    get(a.recovery().state(POOL));
    var ended = new ReplicaReport(A, Set.of(A, B), List.of(), List.of(older));
    report(b, B, Set.of(A, B), List.of(older));
    get(a.recovery().report(POOL, ended));
    report(b, B, Set.of(B), List.of(newer));
    reopen(List.of(), Set.of());
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    assertThat(view(newer.session()).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("a session whose end was lost is over, though the store and a replica have it alive")
  void endWasLost() {
    warm("m1");
    Grant grant = granted("k1");
    Runnable failover = store.standby();
    var unused = get(a.claims().release(call(grant)));
    failover.run();
    recoverWithEnded(List.of(grant));
    assertThat(view(grant.session()).stage()).isEqualTo(Stage.ENDED);
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  // ---- what leaders remember

  @Test
  @DisplayName("wiped: Machines come back as their leader remembers them, but none is warm")
  void remembered() {
    warm("warm");
    proving("draining", IAD, "7");
    done(new Move.Retire(machine("draining")), IAD);
    proving("parked", IAD, "7");
    done(new Move.Retire(machine("parked")), IAD);
    done(new Move.Park(machine("parked")), IAD);
    List<Booked> known = get(a.book().snapshot(POOL, IAD)).machines();
    store.wipe();
    recoverWith(a, List.of(), known, Set.of());
    assertThat(standing("warm")).isEqualTo(Standing.PROVING);
    assertThat(standing("draining")).isEqualTo(Standing.DRAINING);
    assertThat(standing("parked")).isEqualTo(Standing.PARKED);
    assertThat(book("warm").address()).isEqualTo("fdaa::warm");
    assertThat(book("warm").state())
        .isInstanceOfSatisfying(
            MachineState.Proving.class, proving -> assertThat(proving.staged()).isFalse());
  }

  @Test
  @DisplayName("lost writes: what a leader remembers and the store does not have comes back")
  void rememberedYounger() {
    warm("m1");
    Runnable failover = store.standby();
    store.pass(Duration.ofMillis(20));
    done(new Move.Retire(machine("m1")), IAD);
    List<Booked> known = get(a.book().snapshot(POOL, IAD)).machines();
    failover.run();
    recoverWith(a, List.of(), known, Set.of());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("what the store has is not undone by what a leader remembers from before")
  void rememberedOlder() {
    warm("m1");
    List<Booked> known = get(a.book().snapshot(POOL, IAD)).machines();
    store.pass(Duration.ofMillis(20));
    done(new Move.Retire(machine("m1")), IAD);
    store.standby().run();
    recoverWith(a, List.of(), known, Set.of());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("a Machine that served in what was lost is not given out without a wipe")
  void servedIsNotProvenAgain() {
    warm("m1");
    Runnable failover = store.standby();
    store.pass(Duration.ofMillis(20));
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    List<Booked> known = get(a.book().snapshot(POOL, IAD)).machines();
    failover.run();
    recoverWith(a, List.of(), known, Set.of());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(prove("m1", IAD)).isInstanceOf(ProveResult.Refused.class);
  }

  // ---- Machines in use that nobody explains

  @Test
  @DisplayName("tagged as in use and no grant explains it: kept for its session, given to nobody")
  void unknown() {
    warm("m1");
    Runnable failover = store.standby();
    granted("k1");
    failover.run();
    recoverWith(a, List.of(), List.of(), Set.of(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.UNKNOWN);
    assertThat(prove("m1", IAD)).isInstanceOf(ProveResult.Refused.class);
    assertThat(claim(request("k2"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("wiped: tagged as in use and remembered by nobody: kept all the same")
  void unknownToAll() {
    warm("m1");
    granted("k1");
    store.wipe();
    recoverWith(a, List.of(), List.of(), Set.of(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.UNKNOWN);
  }

  @Test
  @DisplayName("a Machine of unknown state whose session does not show up is recycled")
  void unclaimed() {
    warm("m1");
    store.wipe();
    recoverWith(a, List.of(), List.of(), Set.of(machine("m1")));
    expireUntil("m1", Standing.DRAINING, lease(store.soon().multipliedBy(3)));
  }

  // ---- receipts

  @Test
  @DisplayName("a renewal with a receipt brings its session back, on a Machine of unknown state")
  void receipt() {
    warm("m1");
    Grant grant = granted("k1");
    Booked known = book("m1");
    store.wipe();
    recoverWith(a, List.of(), List.of(known), Set.of(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.UNKNOWN);
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isInstanceOfSatisfying(
            SessionResult.Alive.class,
            alive -> assertThat(alive.session().stage()).isEqualTo(Stage.CONNECTED));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    assertThat(claim(request("k1")))
        .isInstanceOfSatisfying(
            ClaimResult.Granted.class,
            again -> assertThat(again.grant().session()).isEqualTo(grant.session()));
  }

  @Test
  @DisplayName("a renewal with a receipt brings its session back even while nothing is granted")
  void receiptMeanwhile() {
    warm("m1");
    Grant grant = granted("k1");
    store.wipe();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A, DEAD));
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isInstanceOf(SessionResult.Alive.class);
    reopen(List.of(), Set.of(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("a late receipt takes its Machine off the shelf again")
  void receiptFromTheShelf() {
    warm("m1");
    Runnable failover = store.standby();
    Grant grant = granted("k1");
    failover.run();
    recoverWith(b, List.of());
    assertThat(prove("m1", IAD)).isEqualTo(new ProveResult.Warm());
    assertThat(get(a.recovery().state(POOL))).isInstanceOf(StoreState.Ready.class);
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isInstanceOf(SessionResult.Alive.class);
    assertThat(claim(request("k2"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("a receipt for a Machine that somebody else has since is worth nothing")
  void receiptTooLate() {
    warm("m1");
    Runnable failover = store.standby();
    Grant grant = granted("k1");
    failover.run();
    recoverWith(a, List.of());
    prove("m1", IAD);
    Grant newer = granted("k2");
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isEqualTo(new SessionResult.Over(Ended.MACHINE_LOST));
    assertThat(view(newer.session()).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("a receipt does not bring back a session that the store knows to be over")
  void receiptOfAnEndedSession() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isEqualTo(new SessionResult.Over(Ended.RELEASED));
  }

  @Test
  @DisplayName("a receipt from after the last loss brings nothing back: the store would know")
  void receiptOfAForgottenSession() {
    warm("m1");
    Grant grant = granted("k1");
    Terms forgetful = keyKept(store.soon());
    var unused = get(a.claims().release(call(grant, forgetful)));
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), grant)))
        .isEqualTo(new SessionResult.NotFound());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("somebody else's receipt brings nothing back")
  void somebodyElsesReceipt() {
    warm("m1");
    Grant grant = granted("k1");
    store.wipe();
    recoverWith(a, List.of());
    var theirs = new Claims.SessionCall(POOL, grant.session(), OTHER_GATEWAY, easy());
    assertThat(get(a.claims().renew(theirs, grant.epoch(), grant)))
        .isEqualTo(new SessionResult.NotFound());
  }
}
