// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Getting over a wipe, or a failover that lost the last writes. */
abstract class RecoveryContract extends LossContract {
  // ---- noticing

  @Test
  @DisplayName("lost writes are noticed before anything is granted")
  void noticedAfterFailover() {
    warm("m1");
    store.standby().run();
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Recovering.class);
    assertThat(get(a.recovery().state(POOL))).isInstanceOf(StoreState.Recovering.class);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Recovering.class);
  }

  @Test
  @DisplayName("a wipe is noticed before anything is granted")
  void noticedAfterWipe() {
    store.wipe();
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Recovering.class);
    assertThat(get(b.recovery().state(POOL))).isInstanceOf(StoreState.Recovering.class);
  }

  @Test
  @DisplayName("a loss is one loss, whoever looks and however often; the next one is another")
  void oneGenerationPerLoss() {
    long before = get(a.recovery().state(POOL)).generation();
    store.wipe();
    long noticed = get(a.recovery().state(POOL)).generation();
    assertThat(noticed).isGreaterThan(before);
    assertThat(get(b.recovery().state(POOL)).generation()).isEqualTo(noticed);
    store.pass(store.rules().hold().dividedBy(4));
    store.wipe();
    assertThat(get(b.recovery().state(POOL)).generation()).isGreaterThan(noticed);
  }

  @Test
  @DisplayName("whoever has not looked since the loss is refused, until it has reported")
  void oldBeliefIsRefused() {
    warm("m1");
    store.standby().run();
    get(a.recovery().state(POOL));
    assertThat(trouble(b.claims().sessions(POOL, null))).isEqualTo(StoreTrouble.Kind.RECOVERING);
    get(b.recovery().state(POOL));
    assertThat(trouble(b.claims().sessions(POOL, null))).isEqualTo(StoreTrouble.Kind.RECOVERING);
    report(b, B, Set.of(A, B));
    assertThat(get(b.claims().sessions(POOL, null))).isEmpty();
  }

  @Test
  @DisplayName("whoever looks when all is over goes on with what is there")
  void lateLook() {
    store.standby().run();
    recoverWith(a, List.of());
    assertThat(trouble(b.claims().sessions(POOL, null))).isEqualTo(StoreTrouble.Kind.RECOVERING);
    assertThat(get(b.recovery().state(POOL))).isInstanceOf(StoreState.Ready.class);
    assertThat(get(b.claims().sessions(POOL, null))).isEmpty();
  }

  // ---- what holds meanwhile

  @Test
  @DisplayName("every warm Machine is proving again")
  void warmIsProving() {
    warm("m1");
    store.standby().run();
    recoverWith(a, List.of());
    assertThat(standing("m1")).isEqualTo(Standing.PROVING);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Queued.class);
    assertThat(prove("m1", IAD)).isInstanceOf(ProveResult.Granted.class);
  }

  @Test
  @DisplayName("epochs go on above all that were ever given")
  void epochsGoOn() {
    warm("m1");
    Runnable failover = store.standby();
    Grant lost = granted("k1");
    failover.run();
    recoverWith(a, List.of());
    assertThat(iad.epoch()).isGreaterThan(lost.epoch());
  }

  @Test
  @DisplayName("mandates from before the loss are void")
  void mandatesAreVoid() {
    Mandate old = iad;
    store.standby().run();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A));
    assertThat(trouble(a.book().expire(old, easy()))).isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(get(a.leadership().leader(POOL, IAD))).isEmpty();
  }

  @Test
  @DisplayName("a region's book is closed until its leader has reported")
  void closedUntilTheLeaderReports() {
    warm("m1");
    store.standby().run();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A));
    iad = leads(a, A, IAD);
    assertThat(get(a.recovery().state(POOL))).isInstanceOf(StoreState.Recovering.class);
    assertThat(trouble(a.book().snapshot(POOL, IAD))).isEqualTo(StoreTrouble.Kind.RECOVERING);
    assertThat(trouble(a.book().prove(iad, proof("m1"), easy())))
        .isEqualTo(StoreTrouble.Kind.RECOVERING);
    StoreState state = get(a.recovery().report(iad, new RegionReport(List.of(), Set.of())));
    assertThat(state).isInstanceOf(StoreState.Ready.class);
    assertThat(prove("m1", IAD)).isEqualTo(new ProveResult.Warm());
  }

  @Test
  @DisplayName("a session that is not there yet is not said to be unknown")
  void noLieMeanwhile() {
    warm("m1");
    Grant grant = granted("k1");
    store.wipe();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A, DEAD));
    assertThat(trouble(a.claims().renew(call(grant), grant.epoch(), null)))
        .isEqualTo(StoreTrouble.Kind.RECOVERING);
    assertThat(trouble(a.claims().release(call(grant)))).isEqualTo(StoreTrouble.Kind.RECOVERING);
  }

  @Test
  @DisplayName("no lease is judged before gateways could renew")
  void noLeaseIsJudgedAtOnce() {
    warm("m1");
    Grant grant = granted("k1");
    Terms brief = lease(store.rules().hold());
    var unused = get(a.claims().renew(call(grant, brief), grant.epoch(), null));
    Runnable failover = store.standby();
    store.pass(store.rules().hold().multipliedBy(2));
    failover.run();
    recoverWith(a, List.of());
    assertThat(get(a.book().expire(iad, brief))).isEmpty();
    assertThat(get(a.claims().renew(call(grant), grant.epoch(), null)))
        .isInstanceOf(SessionResult.Alive.class);
  }

  // ---- when granting goes on

  @Test
  @DisplayName("granting goes on once all replicas that anybody has seen lately have reported")
  void allHaveReported() {
    store.wipe();
    get(a.recovery().state(POOL));
    assertThat(report(a, A, Set.of(A, B))).isInstanceOf(StoreState.Recovering.class);
    assertThat(report(b, B, Set.of(B))).isInstanceOf(StoreState.Ready.class);
  }

  @Test
  @DisplayName("a replica that said hello to the store lately is waited for, too")
  void helloIsWaitedFor() {
    var unused = get(b.leadership().hello(POOL, B, store.far()));
    store.standby().run();
    get(a.recovery().state(POOL));
    assertThat(report(a, A, Set.of(A))).isInstanceOf(StoreState.Recovering.class);
    assertThat(report(b, B, Set.of(B))).isInstanceOf(StoreState.Ready.class);
  }

  @Test
  @DisplayName("a replica that left in good order is not waited for")
  void goodbyeIsNotWaitedFor() {
    var unused = get(b.leadership().hello(POOL, B, store.far()));
    store.standby().run();
    get(a.recovery().state(POOL));
    get(b.leadership().goodbye(POOL, B));
    assertThat(report(a, A, Set.of(A, B))).isInstanceOf(StoreState.Ready.class);
  }

  @Test
  @DisplayName("a dead replica is waited for until its sessions had time to renew, and no longer")
  void deadReplica() {
    warm("m1");
    store.standby().run();
    get(a.recovery().state(POOL));
    report(a, A, Set.of(A, DEAD));
    iad = leads(a, A, IAD);
    get(a.recovery().report(iad, new RegionReport(List.of(), Set.of())));
    assertThat(prove("m1", IAD)).isInstanceOf(ProveResult.Held.class);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Recovering.class);
    store.pass(store.rules().hold().multipliedBy(2));
    assertThat(get(a.recovery().state(POOL))).isInstanceOf(StoreState.Ready.class);
    assertThat(prove("m1", IAD)).isEqualTo(new ProveResult.Warm());
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Granted.class);
  }
}
