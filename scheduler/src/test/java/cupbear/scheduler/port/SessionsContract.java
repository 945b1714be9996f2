// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.Blame;
import cupbear.scheduler.port.Claims.SessionCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A session's life after its grant: confirm, renew, end. */
abstract class SessionsContract extends StoreContract {

  // ---- confirm

  @Test
  @DisplayName("connected: the lease begins, the credentials are erased")
  void confirm() {
    warm("m1");
    Grant grant = granted("k1");
    SessionView view = alive(get(a.claims().confirm(call(grant))));
    assertThat(view.stage()).isEqualTo(Stage.CONNECTED);
    assertThat(view.confirmedAt()).isNotNull();
    assertThat(view.grant()).extracting(Grant::sealed).isNull();
    assertThat(view.grant()).extracting(Grant::epoch).isEqualTo(grant.epoch());
    assertThat(view.leaseUntil()).isEqualTo(at(view.confirmedAt()).plus(easy().lease()));
  }

  @Test
  @DisplayName("connected, said again: nothing changes")
  void confirmTwice() {
    warm("m1");
    Grant grant = granted("k1");
    SessionResult first = get(a.claims().confirm(call(grant)));
    store.pass(Duration.ofMillis(5));
    assertThat(get(b.claims().confirm(call(grant)))).isEqualTo(first);
  }

  @Test
  @DisplayName("not confirmed in time: released, and the Machine recycled")
  void notConfirmed() {
    warm("m1", "m2");
    Terms terms = confirmWithin(store.soon());
    Grant late = granted(request("k1", terms));
    Grant patient = granted("k2");
    assertThat(expire(1, tick()))
        .singleElement()
        .satisfies(view -> {
          assertThat(view.session()).isEqualTo(late.session());
          assertThat(view.ended()).isEqualTo(Ended.NOT_CONFIRMED);
          assertThat(view.grant()).extracting(Grant::sealed).isNull();
        });
    assertThat(book(late.machine().value()).state())
        .isInstanceOfSatisfying(
            MachineState.Draining.class,
            draining -> assertThat(draining.cleaning()).isEqualTo(Cleaning.DUE));
    assertThat(standing(patient.machine().value())).isEqualTo(Standing.ASSIGNED);
    assertThat(get(a.claims().confirm(call(late))))
        .isEqualTo(new SessionResult.Over(Ended.NOT_CONFIRMED));
  }

  // ---- renew

  @Test
  @DisplayName("the first renewal confirms as well")
  void firstRenewalConfirms() {
    warm("m1");
    Grant grant = granted("k1");
    SessionView view = alive(get(a.claims().renew(call(grant), grant.epoch(), null)));
    assertThat(view.stage()).isEqualTo(Stage.CONNECTED);
    assertThat(view.grant()).extracting(Grant::sealed).isNull();
  }

  @Test
  @DisplayName("a renewed session lives on, one that is not ends: lease-lost, Machine recycled")
  void leaseNotRenewed() {
    warm("m1", "m2");
    Grant silent = granted("k1");
    Grant living = granted("k2");
    var unused = get(a.claims().renew(call(silent, lease(store.soon())), silent.epoch(), null));
    var unused2 = get(a.claims().renew(call(living), living.epoch(), null));
    assertThat(expire(1, tick()))
        .singleElement()
        .satisfies(view -> {
          assertThat(view.session()).isEqualTo(silent.session());
          assertThat(view.ended()).isEqualTo(Ended.LEASE_EXPIRED);
        });
    assertThat(get(a.claims().renew(call(silent), silent.epoch(), null)))
        .isEqualTo(new SessionResult.Over(Ended.LEASE_EXPIRED));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(alive(get(a.claims().renew(call(living), living.epoch(), null))).stage())
        .isEqualTo(Stage.CONNECTED);
  }

  @Test
  @DisplayName("each renewal moves the end of the lease")
  void renewalMovesTheEnd() {
    warm("m1");
    Grant grant = granted("k1");
    Instant first = at(alive(get(a.claims().renew(call(grant), grant.epoch(), null))).leaseUntil());
    store.pass(Duration.ofMillis(5));
    Instant second =
        at(alive(get(b.claims().renew(call(grant), grant.epoch(), null))).leaseUntil());
    assertThat(second).isAfter(first);
  }

  @Test
  @DisplayName("a renewal with another epoch than the session's is refused")
  void staleEpoch() {
    warm("m1");
    Grant grant = granted("k1");
    Epoch older = new Epoch(grant.epoch().value() - 1);
    Epoch newer = new Epoch(grant.epoch().value() + 1);
    assertThat(get(a.claims().renew(call(grant), older, null)))
        .isEqualTo(new SessionResult.Stale(grant.epoch()));
    assertThat(get(a.claims().renew(call(grant), newer, null)))
        .isEqualTo(new SessionResult.Stale(grant.epoch()));
  }

  @Test
  @DisplayName("a lease never reaches beyond the longest session")
  void leaseWithinMax() {
    warm("m1");
    Grant grant = granted("k1");
    Duration most = easy().lease().dividedBy(2);
    SessionView view =
        alive(get(a.claims().renew(call(grant, maxSession(most)), grant.epoch(), null)));
    assertThat(view.leaseUntil()).isEqualTo(grant.grantedAt().plus(most));
  }

  @Test
  @DisplayName("longest session over: it ends however often it was renewed")
  void maxDuration() {
    warm("m1");
    Grant grant = granted("k1");
    Terms brief = maxSession(store.soon());
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(a.claims().renew(call(grant, brief), grant.epoch(), null)))
        .isEqualTo(new SessionResult.Over(Ended.MAX_DURATION));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("longest session over: it is found overdue")
  void maxDurationExpires() {
    warm("m1");
    Terms brief =
        new Terms(
            store.far(), tick().lease(), store.soon(), store.far(), 200, Terms.Failover.NOTIFY);
    Grant grant = granted(request("k1", brief));
    assertThat(expire(1, brief))
        .singleElement()
        .satisfies(view -> {
          assertThat(view.session()).isEqualTo(grant.session());
          assertThat(view.ended()).isEqualTo(Ended.MAX_DURATION);
        });
  }

  @Test
  @DisplayName("store out of reach for longer than a lease: gateways renew before any lease ends")
  void outageEndsNoSession() {
    warm("m1");
    Terms brief = lease(store.soon());
    Grant grant = granted("k1");
    assertThat(get(a.book().expire(iad, brief))).isEmpty();
    var unused = get(a.claims().renew(call(grant, brief), grant.epoch(), null));
    store.pass(store.soon().multipliedBy(5));
    assertThat(get(a.book().expire(iad, brief))).isEmpty();
    assertThat(alive(get(a.claims().renew(call(grant), grant.epoch(), null))).stage())
        .isEqualTo(Stage.CONNECTED);
  }

  @Test
  @DisplayName("what is overdue ends in bounded portions")
  void expireIsBounded() {
    int many = store.rules().expireMost() + 5;
    for (int i = 0; i < many; i++) {
      queued(request("k" + i, "acme", List.of(IAD), store.soon(), queueMax(many)));
    }
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(a.book().expire(iad, easy()))).hasSize(store.rules().expireMost());
    assertThat(get(a.book().expire(iad, easy()))).hasSize(5);
  }

  // ---- release and fail

  @Test
  @DisplayName("released: over, the Machine drains and is never warm again without a wipe")
  void release() {
    warm("m1");
    Grant grant = granted("k1");
    assertThat(get(a.claims().release(call(grant))))
        .isEqualTo(new SessionResult.Over(Ended.RELEASED));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
    assertThat(view(grant.session()).stage()).isEqualTo(Stage.ENDED);
  }

  @Test
  @DisplayName("release is idempotent, and does not touch what the Machine does since")
  void releaseTwice() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    Instant since = book("m1").state().since();
    store.pass(Duration.ofMillis(5));
    assertThat(get(b.claims().release(call(grant))))
        .isEqualTo(new SessionResult.Over(Ended.RELEASED));
    assertThat(book("m1").state().since()).isEqualTo(since);
  }

  @Test
  @DisplayName("failed: over at once, the Machine out of service")
  void fail() {
    warm("m1");
    Grant grant = granted("k1");
    assertThat(get(a.claims().fail(call(grant), blame(grant, true))))
        .isEqualTo(new SessionResult.Over(Ended.FAILED));
    assertThat(get(a.claims().fail(call(grant), blame(grant, true))))
        .isEqualTo(new SessionResult.Over(Ended.FAILED));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("failed by its gateway: the key is spent, connected or not")
  void failSpendsTheKey() {
    warm("m1", "m2");
    Grant grant = granted("k1");
    var unused = get(a.claims().fail(call(grant), blame(grant, true)));
    assertThat(get(a.claims().claim(request("k1"))))
        .isEqualTo(new ClaimResult.KeySpent(grant.session()));
  }

  @Test
  @DisplayName("failed with another epoch: it has another Machine, which goes on")
  void failStale() {
    warm("m1");
    Grant grant = granted("k1");
    Blame old = new Blame(new Epoch(grant.epoch().value() - 1), true, "black screen");
    assertThat(get(a.claims().fail(call(grant), old)))
        .isEqualTo(new SessionResult.Stale(grant.epoch()));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("failed before anything was delivered: the same key gets another Machine")
  void failUndelivered() {
    warm("m1", "m2");
    Grant grant = granted("k1");
    assertThat(get(a.claims().fail(call(grant), blame(grant, false))))
        .isEqualTo(new SessionResult.Over(Ended.FAILED));
    assertThat(standing(grant.machine().value())).isEqualTo(Standing.DRAINING);
    Grant next = granted("k1");
    assertThat(next.session()).isNotEqualTo(grant.session());
    assertThat(next.machine()).isNotEqualTo(grant.machine());
    assertThat(get(a.claims().fail(call(grant), blame(grant, false))))
        .as("said again, it does not touch the next one")
        .isEqualTo(new SessionResult.Over(Ended.FAILED));
    assertThat(view(next.session()).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("undelivered by one call, told to another with the same key: it goes on")
  void failShared() {
    warm("m1");
    Grant grant = granted("k1");
    assertThat(get(b.claims().claim(request("k1")))).isInstanceOf(ClaimResult.Granted.class);
    SessionResult refused = get(a.claims().fail(call(grant), blame(grant, false)));
    assertThat(alive(refused).stage()).isEqualTo(Stage.GRANTED);
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("undelivered by one call, connected meanwhile: it goes on")
  void failConnected() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(b.claims().confirm(call(grant)));
    SessionResult refused = get(a.claims().fail(call(grant), blame(grant, false)));
    assertThat(alive(refused).stage()).isEqualTo(Stage.CONNECTED);
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  private static Blame blame(Grant grant, boolean delivered) {
    return new Blame(grant.epoch(), delivered, "black screen");
  }

  @Test
  @DisplayName("released while it waits: it leaves the queue")
  void releaseWaiting() {
    Waiter waiter = queued("k1");
    SessionCall call = new SessionCall(POOL, waiter.session(), null, easy());
    assertThat(get(a.claims().release(call))).isEqualTo(new SessionResult.Over(Ended.WITHDRAWN));
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isZero();
  }

  // ---- whose it is

  @Test
  @DisplayName("somebody else's session is not found, whatever is asked of it")
  void somebodyElses() {
    warm("m1");
    Grant grant = granted("k1");
    SessionCall theirs = new SessionCall(POOL, grant.session(), OTHER_GATEWAY, easy());
    assertThat(get(a.claims().confirm(theirs))).isEqualTo(new SessionResult.NotFound());
    assertThat(get(a.claims().renew(theirs, grant.epoch(), null)))
        .isEqualTo(new SessionResult.NotFound());
    assertThat(get(a.claims().release(theirs))).isEqualTo(new SessionResult.NotFound());
    assertThat(get(a.claims().fail(theirs, blame(grant, true))))
        .isEqualTo(new SessionResult.NotFound());
    assertThat(view(grant.session()).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("an operator may end anybody's session")
  void operator() {
    warm("m1");
    Grant grant = granted("k1");
    SessionCall operators = new SessionCall(POOL, grant.session(), null, easy());
    assertThat(get(a.claims().release(operators)))
        .isEqualTo(new SessionResult.Over(Ended.RELEASED));
  }

  @Test
  @DisplayName("an unknown session is not found")
  void unknown() {
    SessionCall nobody = new SessionCall(POOL, new SessionId("nobody"), null, easy());
    assertThat(get(a.claims().confirm(nobody))).isEqualTo(new SessionResult.NotFound());
    assertThat(get(a.claims().release(nobody))).isEqualTo(new SessionResult.NotFound());
    assertThat(get(a.claims().session(POOL, nobody.session()))).isEmpty();
  }

  @Test
  @DisplayName("live sessions are listed newest last, for one caller or for all")
  void listed() {
    warm("m1", "m2");
    Grant first = granted("k1");
    Grant second = granted("k2");
    Waiter third = queued("k3");
    assertThat(get(a.claims().sessions(POOL, null)))
        .extracting(SessionView::session)
        .containsExactly(first.session(), second.session(), third.session());
    var unused = get(a.claims().release(call(first)));
    assertThat(get(a.claims().sessions(POOL, GATEWAY)))
        .extracting(SessionView::session)
        .containsExactly(second.session(), third.session());
    assertThat(get(a.claims().sessions(POOL, OTHER_GATEWAY))).isEmpty();
  }

  /** What a leader comes with: renewals are expected within {@code soon}. */
  private Terms tick() {
    return lease(store.soon().multipliedBy(3));
  }

  private static SessionView alive(SessionResult result) {
    assertThat(result).isInstanceOf(SessionResult.Alive.class);
    return ((SessionResult.Alive) result).session();
  }

  private static Instant at(@Nullable Instant moment) {
    if (moment == null) throw new AssertionError("there should be a time");
    return moment;
  }
}
