// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Terms.Failover;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Session failover when its Machine dies: replace, notify, none. */
abstract class LosingContract extends StoreContract {

  @Test
  @DisplayName("the Machine is condemned, and known to have had a session")
  void condemned() {
    Grant grant = connected("m1", Failover.NOTIFY);
    assertThat(lose(grant, Failover.NOTIFY)).isEqualTo(new LoseResult.Lost());
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Condemned.class, condemned -> assertThat(condemned.lost()).isTrue());
  }

  @Test
  @DisplayName("no longer that session's Machine: nothing is changed")
  void moved() {
    Grant grant = connected("m1", Failover.NOTIFY);
    Epoch other = new Epoch(grant.epoch().value() + 1);
    assertThat(get(a.book().lose(iad, grant.machine(), grant.session(), other, easy())))
        .isEqualTo(new LoseResult.Moved());
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    var unused = get(a.claims().release(call(grant)));
    assertThat(lose(grant, Failover.NOTIFY)).isEqualTo(new LoseResult.Moved());
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(get(a.book().lose(iad, machine("no"), grant.session(), grant.epoch(), easy())))
        .isEqualTo(new LoseResult.Moved());
  }

  @Test
  @DisplayName("notify: the gateway hears it on every renew, until its lease is over")
  void notifies() {
    Grant grant = connected("m1", Failover.NOTIFY);
    lose(grant, Failover.NOTIFY);
    SessionResult first = get(a.claims().renew(call(grant), grant.epoch(), null));
    assertThat(first)
        .isInstanceOfSatisfying(
            SessionResult.Lost.class,
            lost -> {
              assertThat(lost.session().stage()).isEqualTo(Stage.LOST);
              assertThat(lost.session().lostAt()).isNotNull();
            });
    assertThat(get(b.claims().renew(call(grant), grant.epoch(), null))).isEqualTo(first);
    assertThat(get(b.claims().confirm(call(grant)))).isEqualTo(first);
    assertThat(expire(1, brief(Failover.NOTIFY)))
        .singleElement()
        .satisfies(view -> assertThat(view.ended()).isEqualTo(Ended.MACHINE_LOST));
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), null)))
        .isEqualTo(new SessionResult.Over(Ended.MACHINE_LOST));
  }

  @Test
  @DisplayName("notify: the same key is spent, since its session is lost")
  void notifySpendsTheKey() {
    Grant grant = connected("m1", Failover.NOTIFY);
    lose(grant, Failover.NOTIFY);
    warm("m2");
    assertThat(claim(request("k-m1"))).isEqualTo(new ClaimResult.KeySpent(grant.session()));
  }

  @Test
  @DisplayName("notify: a lost session can be released, and is over")
  void releaseLost() {
    Grant grant = connected("m1", Failover.NOTIFY);
    lose(grant, Failover.NOTIFY);
    assertThat(get(a.claims().release(call(grant))))
        .isEqualTo(new SessionResult.Over(Ended.RELEASED));
    assertThat(standing("m1")).isEqualTo(Standing.CONDEMNED);
  }

  @Test
  @DisplayName("none: the session ends at once, a renew hears that its lease is lost")
  void none() {
    Grant grant = connected("m1", Failover.NONE);
    assertThat(lose(grant, Failover.NONE)).isEqualTo(new LoseResult.Lost());
    assertThat(view(grant.session()).ended()).isEqualTo(Ended.MACHINE_LOST);
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), null)))
        .isEqualTo(new SessionResult.Over(Ended.MACHINE_LOST));
  }

  @Test
  @DisplayName("replace: a new Machine under the same session id and a higher epoch, told on renew")
  void replaces() {
    Grant old = connected("m1", Failover.REPLACE);
    warm("m2");
    Grant fresh = replaced(lose(old, Failover.REPLACE));
    assertThat(fresh.session()).isEqualTo(old.session());
    assertThat(fresh.machine()).isEqualTo(machine("m2"));
    assertThat(fresh.epoch()).isGreaterThan(old.epoch());
    assertThat(fresh.sealed()).isEqualTo("sealed-m2");
    SessionView told = alive(get(a.claims().renew(call(old), old.epoch(), null)));
    assertThat(told.grant()).isEqualTo(fresh);
    assertThat(told.stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName(
      "replace: told as often as asked, until the new epoch is used; then the old is stale")
  void oldEpochIsStaleAfterwards() {
    Grant old = connected("m1", Failover.REPLACE);
    warm("m2");
    Grant fresh = replaced(lose(old, Failover.REPLACE));
    for (int i = 0; i < 2; i++) {
      assertThat(alive(get(a.claims().renew(call(old), old.epoch(), null))).grant())
          .isEqualTo(fresh);
    }
    assertThat(alive(get(a.claims().renew(call(old), fresh.epoch(), null))).stage())
        .isEqualTo(Stage.CONNECTED);
    assertThat(get(a.claims().renew(call(old), old.epoch(), null)))
        .isEqualTo(new SessionResult.Stale(fresh.epoch()));
  }

  @Test
  @DisplayName("replace: who says connected may mean the old Machine; credentials are kept")
  void confirmMayMeanTheOldOne() {
    Grant old = connected("m1", Failover.REPLACE);
    warm("m2");
    Grant fresh = replaced(lose(old, Failover.REPLACE));
    SessionView view = alive(get(a.claims().confirm(call(old))));
    assertThat(view.stage()).isEqualTo(Stage.GRANTED);
    assertThat(view.grant()).isEqualTo(fresh);
    assertThat(alive(get(a.claims().renew(call(old), old.epoch(), null))).grant()).isEqualTo(fresh);
  }

  @Test
  @DisplayName("replace: the gateway has at least its lease to hear of it")
  void replacementKeepsTheLease() {
    warm("m1", "m2");
    Terms quick = confirmWithin(store.soon());
    Grant old = granted("k1");
    SessionView before = alive(get(a.claims().renew(call(old), old.epoch(), null)));
    Terms replace =
        new Terms(
            quick.confirmWithin(),
            quick.lease(),
            quick.maxSession(),
            quick.keyKept(),
            200,
            Failover.REPLACE);
    var lost = get(a.book().lose(iad, old.machine(), old.session(), old.epoch(), replace));
    assertThat(replaced(lost).confirmBy()).isEqualTo(before.leaseUntil());
  }

  @Test
  @DisplayName("replace with none warm: the session waits, before all others")
  void waitsWithPriority() {
    Grant old = connected("m1", Failover.REPLACE);
    Waiter early = queued("early");
    assertThat(lose(old, Failover.REPLACE)).isEqualTo(new LoseResult.Lost());
    assertThat(get(a.claims().renew(call(old), old.epoch(), null)))
        .isInstanceOf(SessionResult.Lost.class);
    proving("m2", IAD, "7");
    ProveResult result = prove("m2", IAD);
    assertThat(result)
        .isInstanceOfSatisfying(
            ProveResult.Granted.class,
            granted -> assertThat(granted.grant().session()).isEqualTo(old.session()));
    assertThat(alive(get(a.claims().renew(call(old), old.epoch(), null))).grant())
        .isEqualTo(((ProveResult.Granted) result).grant());
    assertThat(get(a.claims().look(POOL, early))).isEqualTo(new WaitResult.StillWaiting(0));
  }

  @Test
  @DisplayName("replace with none warm: it waits until its lease ends, and no longer")
  void waitsUntilItsLeaseEnds() {
    Grant old = connected("m1", Failover.REPLACE);
    lose(old, Failover.REPLACE);
    assertThat(expire(1, brief(Failover.REPLACE)))
        .singleElement()
        .satisfies(view -> assertThat(view.ended()).isEqualTo(Ended.MACHINE_LOST));
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isZero();
    proving("m2", IAD, "7");
    assertThat(prove("m2", IAD)).isEqualTo(new ProveResult.Warm());
  }

  @Test
  @DisplayName("replace with none warm: the end of a call does not give up the session's place")
  void callsEndDoesNotMatter() {
    Grant old = connected("m1", Failover.REPLACE);
    lose(old, Failover.REPLACE);
    Waiter again = queued("k-m1");
    assertThat(again.session()).isEqualTo(old.session());
    assertThat(get(a.claims().leave(POOL, again, WaitResult.Leaving.HUNG_UP)))
        .isEqualTo(new WaitResult.Left());
    proving("m2", IAD, "7");
    assertThat(prove("m2", IAD)).isInstanceOf(ProveResult.Granted.class);
  }

  /** A connected session on this Machine, under a lease that a test can outlive. */
  private Grant connected(String id, Failover failover) {
    warm(id);
    Grant grant = granted("k-" + id);
    var unused = get(a.claims().renew(call(grant, brief(failover)), grant.epoch(), null));
    return grant;
  }

  private Terms brief(Failover failover) {
    return lease(store.soon().multipliedBy(3), failover);
  }

  private LoseResult lose(Grant grant, Failover failover) {
    return get(
        a.book().lose(iad, grant.machine(), grant.session(), grant.epoch(), brief(failover)));
  }

  private static Grant replaced(LoseResult result) {
    assertThat(result).isInstanceOf(LoseResult.Replaced.class);
    return ((LoseResult.Replaced) result).grant();
  }

  private static SessionView alive(SessionResult result) {
    assertThat(result).isInstanceOf(SessionResult.Alive.class);
    return ((SessionResult.Alive) result).session();
  }
}
