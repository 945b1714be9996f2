// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.WaitResult.Leaving;
import cupbear.scheduler.model.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting for a Machine: the order of service, and the races of grant, hang-up and deadline. */
abstract class WaitingContract extends StoreContract {

  // ---- service

  @Test
  @DisplayName("the next proven Machine goes to the first waiter in the same step")
  void provenToWaiter() {
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    ProveResult result = prove("m1", IAD);
    assertThat(result)
        .isInstanceOfSatisfying(
            ProveResult.Granted.class,
            granted -> assertThat(granted.grant().session()).isEqualTo(waiter.session()));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
    Grant grant = ((ProveResult.Granted) result).grant();
    assertThat(get(b.claims().look(POOL, waiter))).isEqualTo(new WaitResult.Granted(grant));
    assertThat(grant.sealed()).isEqualTo("sealed-m1");
  }

  @Test
  @DisplayName("a waiter's grant tells how long it waited, and so does the snapshot")
  void waited() {
    queued("k1");
    store.pass(store.soon());
    proving("m1", IAD, "7");
    Grant grant = ((ProveResult.Granted) prove("m1", IAD)).grant();
    assertThat(grant.waited()).isGreaterThanOrEqualTo(store.soon());
    assertThat(get(a.book().snapshot(POOL, IAD)).waits())
        .singleElement()
        .satisfies(waited -> assertThat(waited.time()).isEqualTo(grant.waited()));
  }

  @Test
  @DisplayName("every replica hears of a waiter's grant, whichever proved the Machine")
  void heardOnEveryReplica() {
    List<Grant> heard = new CopyOnWriteArrayList<>();
    b.claims().onGrant(heard::add);
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    prove("m1", IAD);
    Awaitility.await().until(() -> !heard.isEmpty());
    assertThat(heard)
        .singleElement()
        .satisfies(grant -> assertThat(grant.session()).isEqualTo(waiter.session()));
  }

  @Test
  @DisplayName("first come, first served within a tenant")
  void firstComeFirstServed() {
    queued("k1");
    queued("k2");
    queued("k3");
    assertThat(served(3, IAD)).containsExactly("k1", "k2", "k3");
  }

  @Test
  @DisplayName("fair across tenants: a crowd of one tenant does not keep another waiting")
  void fairAcrossTenants() {
    for (int i = 1; i <= 4; i++) queued(of("crowd", "c" + i));
    queued(of("single", "s1"));
    queued(of("single", "s2"));
    assertThat(served(6, IAD)).containsExactly("c1", "s1", "c2", "s2", "c3", "c4");
  }

  @Test
  @DisplayName("a tenant that comes late shares from then on, and is owed nothing for before")
  void lateTenant() {
    for (int i = 1; i <= 5; i++) queued(of("early", "e" + i));
    assertThat(served(2, IAD)).containsExactly("e1", "e2");
    for (int i = 1; i <= 3; i++) queued(of("late", "l" + i));
    assertThat(served(6, IAD)).containsExactly("e3", "l1", "e4", "l2", "e5", "l3");
  }

  @Test
  @DisplayName("waiters that leave unserved do not push their tenant back")
  void leavingCostsNothing() {
    queued(of("steady", "s1"));
    queued(of("steady", "s2"));
    for (int i = 1; i <= 3; i++) {
      leave(queued(of("hasty", "gone" + i)), Leaving.HUNG_UP);
    }
    queued(of("hasty", "h1"));
    assertThat(served(3, IAD)).containsExactly("s1", "h1", "s2");
  }

  @Test
  @DisplayName("only those whose regions fit: others keep their place")
  void regionsOfWaiters() {
    queued(request("iad-only", "acme", List.of(IAD), store.far(), easy()));
    queued(request("both", "acme", List.of(IAD, LHR), store.far(), easy()));
    assertThat(get(a.book().snapshot(POOL, LHR)).waiting()).isEqualTo(1);
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isEqualTo(2);
    assertThat(served(1, LHR)).containsExactly("both");
    assertThat(served(1, IAD)).containsExactly("iad-only");
  }

  @Test
  @DisplayName("a waiter sees how many are ahead of it")
  void ahead() {
    queued("k1");
    Waiter second = queued("k2");
    assertThat(get(a.claims().look(POOL, second))).isEqualTo(new WaitResult.StillWaiting(1));
    served(1, IAD);
    assertThat(get(a.claims().look(POOL, second))).isEqualTo(new WaitResult.StillWaiting(0));
  }

  @Test
  @DisplayName("a request that comes while others wait cannot overtake them")
  void noOvertaking() {
    queued("k1");
    get(a.book().mark(POOL, IAD, machine("m1"), Mark.CORDON, true));
    proving("m1", IAD, "7");
    assertThat(prove("m1", IAD)).isInstanceOf(ProveResult.Warm.class);
    get(a.book().mark(POOL, IAD, machine("m1"), Mark.CORDON, false));
    assertThat(claim(request("k2"))).isInstanceOf(ClaimResult.Queued.class);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Granted.class);
  }

  // ---- leaving

  @Test
  @DisplayName("caller hung up while waiting: its place is freed and its key too")
  void hungUpWaiting() {
    Waiter waiter = queued("k1");
    assertThat(leave(waiter, Leaving.HUNG_UP)).isEqualTo(new WaitResult.Left());
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isZero();
    warm("m1");
    assertThat(granted("k1").session()).isNotEqualTo(waiter.session());
  }

  @Test
  @DisplayName("caller hung up in the instant of its grant: the Machine is warm again")
  void hungUpGranted() {
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    prove("m1", IAD);
    assertThat(leave(waiter, Leaving.HUNG_UP)).isEqualTo(new WaitResult.TakenBack(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.WARM);
    Grant next = granted("k2");
    assertThat(next.machine()).isEqualTo(machine("m1"));
    assertThat(next.sealed()).isEqualTo("sealed-m1");
    assertThat(view(waiter.session()).ended()).isEqualTo(Ended.WITHDRAWN);
  }

  @Test
  @DisplayName("caller hung up in the instant of its grant: the next waiter gets the Machine")
  void hungUpToTheNext() {
    Waiter first = queued("k1");
    Waiter second = queued("k2");
    proving("m1", IAD, "7");
    Grant lost = ((ProveResult.Granted) prove("m1", IAD)).grant();
    assertThat(leave(first, Leaving.HUNG_UP)).isEqualTo(new WaitResult.TakenBack(machine("m1")));
    assertThat(get(a.claims().look(POOL, second)))
        .isInstanceOfSatisfying(
            WaitResult.Granted.class,
            granted -> assertThat(granted.grant().epoch()).isGreaterThan(lost.epoch()));
  }

  @Test
  @DisplayName("caller hung up after an immediate grant that was not delivered: warm again")
  void hungUpImmediate() {
    warm("m1");
    ClaimRequest request = request("k1");
    granted(request);
    assertThat(leave(request.proposed(), Leaving.HUNG_UP))
        .isEqualTo(new WaitResult.TakenBack(machine("m1")));
    assertThat(standing("m1")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("hanging up twice changes nothing more")
  void hungUpTwice() {
    warm("m1");
    ClaimRequest request = request("k1");
    granted(request);
    leave(request.proposed(), Leaving.HUNG_UP);
    granted("k2");
    assertThat(leave(request.proposed(), Leaving.HUNG_UP)).isEqualTo(new WaitResult.Left());
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("a connected session is not taken back by the end of its call")
  void hungUpConnected() {
    warm("m1");
    ClaimRequest request = request("k1");
    var unused = get(a.claims().confirm(call(granted(request))));
    assertThat(leave(request.proposed(), Leaving.HUNG_UP)).isEqualTo(new WaitResult.Superseded());
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("the end of a dead call cannot take the place from a newer one with its key")
  void superseded() {
    Waiter dead = queued("k1");
    Waiter living = queued("k1");
    assertThat(leave(dead, Leaving.HUNG_UP)).isEqualTo(new WaitResult.Superseded());
    assertThat(get(a.claims().look(POOL, dead))).isEqualTo(new WaitResult.Superseded());
    assertThat(get(a.claims().look(POOL, living))).isEqualTo(new WaitResult.StillWaiting(0));
  }

  @Test
  @DisplayName("the end of a dead call cannot take back a grant that a newer one was answered with")
  void supersededByReplay() {
    warm("m1");
    ClaimRequest dead = request("k1");
    granted(dead);
    claim(request("k1"));
    assertThat(leave(dead.proposed(), Leaving.HUNG_UP)).isEqualTo(new WaitResult.Superseded());
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("its time is over: the place is freed")
  void deadline() {
    Waiter waiter = queued("k1");
    assertThat(leave(waiter, Leaving.DEADLINE)).isEqualTo(new WaitResult.Left());
    warm("m1");
    assertThat(standing("m1")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("its time is over in the instant of its grant: the grant is still welcome")
  void deadlineGranted() {
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    Grant grant = ((ProveResult.Granted) prove("m1", IAD)).grant();
    assertThat(leave(waiter, Leaving.DEADLINE)).isEqualTo(new WaitResult.Granted(grant));
    assertThat(standing("m1")).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("nobody is granted a Machine past the deadline, even if nobody said so")
  void nothingPastTheDeadline() {
    Waiter gone = queued(request("k1", "acme", List.of(IAD), store.soon(), easy()));
    Waiter waiting = queued("k2");
    store.pass(store.soon().multipliedBy(2));
    proving("m1", IAD, "7");
    assertThat(((ProveResult.Granted) prove("m1", IAD)).grant().session())
        .isEqualTo(waiting.session());
    assertThat(get(a.claims().look(POOL, gone))).isEqualTo(new WaitResult.Left());
  }

  @Test
  @DisplayName("waiters past their deadline leave the queue, and their keys are free")
  void waitersExpire() {
    Waiter gone = queued(request("k1", "acme", List.of(IAD), store.soon(), easy()));
    Waiter waiting = queued("k2");
    store.pass(store.soon().multipliedBy(2));
    List<SessionView> ended = get(a.book().expire(iad, easy()));
    assertThat(ended)
        .singleElement()
        .satisfies(view -> {
          assertThat(view.session()).isEqualTo(gone.session());
          assertThat(view.ended()).isEqualTo(Ended.WITHDRAWN);
        });
    assertThat(get(a.claims().look(POOL, waiting))).isEqualTo(new WaitResult.StillWaiting(0));
    assertThat(queued("k1").session()).isNotEqualTo(gone.session());
  }

  @Test
  @DisplayName("a place that the store does not know is unheard of")
  void unheard() {
    Waiter nobody = waiter("nobody");
    assertThat(get(a.claims().look(POOL, nobody))).isEqualTo(new WaitResult.Unheard());
    assertThat(leave(nobody, Leaving.HUNG_UP)).isEqualTo(new WaitResult.Unheard());
  }

  @Test
  @DisplayName("joining a place again gives it the new call's time")
  void joinedWithNewTime() {
    Waiter first = queued(request("k1", "acme", List.of(IAD), store.soon(), easy()));
    Waiter again = queued("k1");
    assertThat(again.session()).isEqualTo(first.session());
    store.pass(store.soon().multipliedBy(2));
    assertThat(served(1, IAD)).containsExactly("k1");
  }

  private WaitResult leave(Waiter waiter, Leaving why) {
    return get(a.claims().leave(POOL, waiter, why));
  }

  private ClaimRequest of(String tenant, String key) {
    return request(key, tenant, List.of(IAD), store.far(), easy());
  }

  private int made;

  /** Proves this many Machines, one after the other; the keys of those who got them. */
  private List<String> served(int many, Region region) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      String id = "served-" + ++made;
      proving(id, region, "7");
      if (prove(id, region) instanceof ProveResult.Granted granted) keys.add(granted.grant().key());
      else done(new Move.Retire(machine(id)), region);
    }
    return keys;
  }
}
