// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Getting a Machine at once: idempotency, the choice, and what is turned away. */
abstract class ClaimsContract extends StoreContract {

  // ---- the grant

  @Test
  @DisplayName("one is warm: it is given out, with all that the answer needs")
  void grant() {
    warm("m1");
    Grant grant = granted("k1");
    assertThat(grant.machine()).isEqualTo(machine("m1"));
    assertThat(grant.pool()).isEqualTo(POOL);
    assertThat(grant.caller()).isEqualTo(GATEWAY);
    assertThat(grant.key()).isEqualTo("k1");
    assertThat(grant.fingerprint()).isEqualTo("body");
    assertThat(grant.region()).isEqualTo(IAD);
    assertThat(grant.address()).isEqualTo("fdaa::m1");
    assertThat(grant.sealed()).isEqualTo("sealed-m1");
    assertThat(grant.waited()).isEqualTo(Duration.ZERO);
    assertThat(grant.proof().machine()).isEqualTo(machine("m1"));
    assertThat(grant.confirmBy()).isEqualTo(grant.grantedAt().plus(easy().confirmWithin()));
  }

  @Test
  @DisplayName("the Machine and the session know of each other")
  void bothSides() {
    warm("m1");
    Grant grant = granted("k1");
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Assigned.class,
            assigned -> {
              assertThat(assigned.session()).isEqualTo(grant.session());
              assertThat(assigned.epoch()).isEqualTo(grant.epoch());
            });
    assertThat(view(grant.session()).stage()).isEqualTo(Stage.GRANTED);
    assertThat(view(grant.session()).grant()).isEqualTo(grant);
    assertThat(view(grant.session()).leaseUntil()).isEqualTo(grant.confirmBy());
  }

  @Test
  @DisplayName("a Machine has at most one live session")
  void neverTwice() {
    warm("m1", "m2");
    assertThat(granted("k1").machine()).isNotEqualTo(granted("k2").machine());
    assertThat(claim(request("k3"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("each grant has a higher epoch than all before, on any replica")
  void epochsGrow() {
    warm("m1", "m2", "m3");
    Grant first = granted("k1");
    Grant second = ((ClaimResult.Granted) get(b.claims().claim(request("k2")))).grant();
    Grant third = granted("k3");
    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(third.epoch()).isGreaterThan(second.epoch());
    assertThat(first.epoch()).isGreaterThan(lhr.epoch());
  }

  @Test
  @DisplayName("only a warm one is given out")
  void onlyWarm() {
    proving("proving", IAD, "7");
    warm("doubted");
    done(new Move.Doubt(machine("doubted")), IAD);
    warm("retired");
    done(new Move.Retire(machine("retired")), IAD);
    warm("condemned");
    done(new Move.Condemn(machine("condemned")), IAD);
    assertThat(claim(impatient("k1"))).isEqualTo(new ClaimResult.NoneWarm());
  }

  // ---- the choice

  @Test
  @DisplayName("newest template first, and 10 is newer than 9")
  void newestTemplate() {
    warm("nine", IAD, "9");
    warm("ten", IAD, "10");
    warm("two", IAD, "2");
    assertThat(granted("k1").machine()).isEqualTo(machine("ten"));
    assertThat(granted("k2").machine()).isEqualTo(machine("nine"));
    assertThat(granted("k3").machine()).isEqualTo(machine("two"));
  }

  @Test
  @DisplayName("then the one proven longest ago, but within trust")
  void longestAgoWithinTrust() {
    Duration trust = store.rules().guacdTrust();
    Instant now = store.now();
    warmSince("stale", now.minus(trust.multipliedBy(3)));
    warmSince("young", now);
    warmSince("older", now.minus(trust.dividedBy(2)));
    assertThat(granted("k1").machine()).isEqualTo(machine("older"));
    assertThat(granted("k2").machine()).isEqualTo(machine("young"));
  }

  @Test
  @DisplayName("those out of trust last, the youngest proof of them first")
  void outOfTrustLast() {
    Duration trust = store.rules().guacdTrust();
    Instant now = store.now();
    warmSince("old", now.minus(trust.multipliedBy(4)));
    warmSince("stale", now.minus(trust.multipliedBy(3)));
    warmSince("fresh", now);
    assertThat(granted("k1").machine()).isEqualTo(machine("fresh"));
    assertThat(granted("k2").machine()).isEqualTo(machine("stale"));
    assertThat(granted("k3").machine()).isEqualTo(machine("old"));
  }

  @Test
  @DisplayName("one of an old template within trust goes before a new one out of trust")
  void trustBeforeTemplate() {
    Instant stale = store.now().minus(store.rules().rdpTrust().multipliedBy(2));
    proving("new", IAD, "8");
    var unused = get(a.book().prove(iad, proof("new", stale), easy()));
    warm("old", IAD, "7");
    assertThat(granted("k1").machine()).isEqualTo(machine("old"));
    assertThat(granted("k2").machine()).isEqualTo(machine("new"));
  }

  @Test
  @DisplayName("an RDP proof is trusted longer than a guacd proof, and both count")
  void bothProofsCount() {
    Instant now = store.now();
    Duration guacd = store.rules().guacdTrust();
    proving("rdp-old", IAD, "7");
    var proof =
        new Proof(
            machine("rdp-old"), BOOT, now, now.minus(store.rules().rdpTrust().multipliedBy(2)));
    var unused = get(a.book().prove(iad, proof, easy()));
    proving("rdp-in-trust", IAD, "7");
    var kept =
        new Proof(
            machine("rdp-in-trust"), BOOT, now, now.minus(guacd.multipliedBy(3).dividedBy(2)));
    var unused2 = get(a.book().prove(iad, kept, easy()));
    assertThat(granted("k1").machine()).isEqualTo(machine("rdp-in-trust"));
  }

  @Test
  @DisplayName("a younger proof by vouching puts a Machine back within trust, at the end")
  void vouchedFor() {
    Instant now = store.now();
    Duration trust = store.rules().guacdTrust();
    warmSince("stale", now.minus(trust.multipliedBy(3)));
    warmSince("older", now.minus(trust.dividedBy(2)));
    get(a.book().vouch(iad, List.of(proof("stale", now), proof("nobody", now))));
    assertThat(granted("k1").machine()).isEqualTo(machine("older"));
    assertThat(granted("k2").machine()).isEqualTo(machine("stale"));
    assertThat(view(sessionOf("k2")).stage()).isEqualTo(Stage.GRANTED);
  }

  @Test
  @DisplayName("the first ranked region that has one, whatever the others have")
  void regionsInOrder() {
    warm("near", IAD, "7");
    warm("distant", LHR, "8");
    assertThat(granted(anywhere("k1", List.of(IAD, LHR))).machine()).isEqualTo(machine("near"));
    assertThat(granted(anywhere("k2", List.of(IAD, LHR))).machine()).isEqualTo(machine("distant"));
    assertThat(claim(impatient("k3"))).isEqualTo(new ClaimResult.NoneWarm());
  }

  // ---- idempotency

  @Test
  @DisplayName("same key, same body: the same session again, as replayed")
  void replay() {
    warm("m1", "m2");
    Grant first = granted("k1");
    ClaimResult again = get(b.claims().claim(request("k1")));
    assertThat(again).isEqualTo(new ClaimResult.Granted(first, true));
    assertThat(standing("m2")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("same key, same body, after connecting: the same session without credentials")
  void replayConnected() {
    warm("m1");
    Grant first = granted("k1");
    var unused = get(a.claims().confirm(call(first)));
    ClaimResult again = claim(request("k1"));
    assertThat(again)
        .isInstanceOfSatisfying(
            ClaimResult.Granted.class,
            granted -> {
              assertThat(granted.replayed()).isTrue();
              assertThat(granted.grant().epoch()).isEqualTo(first.epoch());
              assertThat(granted.grant().sealed()).isNull();
            });
  }

  @Test
  @DisplayName("same key, other body: refused")
  void otherBody() {
    warm("m1", "m2");
    granted("k1");
    ClaimRequest usual = request("k1");
    ClaimRequest other =
        new ClaimRequest(
            POOL,
            GATEWAY,
            "acme",
            "k1",
            "other body",
            usual.proposed(),
            usual.regions(),
            usual.patience(),
            usual.terms());
    assertThat(claim(other)).isEqualTo(new ClaimResult.KeyReused());
    assertThat(standing("m2")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("keys are scoped to the caller")
  void keysAreScoped() {
    warm("m1", "m2");
    Grant mine = granted("k1");
    ClaimRequest usual = request("k1");
    ClaimRequest theirs =
        new ClaimRequest(
            POOL,
            OTHER_GATEWAY,
            "acme",
            "k1",
            "their body",
            usual.proposed(),
            usual.regions(),
            usual.patience(),
            usual.terms());
    assertThat(granted(theirs).session()).isNotEqualTo(mine.session());
  }

  @Test
  @DisplayName("same key after its session is over: spent")
  void spentKey() {
    warm("m1", "m2");
    Grant grant = granted("k1");
    var unused = get(a.claims().release(call(grant)));
    assertThat(claim(request("k1"))).isEqualTo(new ClaimResult.KeySpent(grant.session()));
    assertThat(standing("m2")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("a key is kept for its time and then forgotten")
  void keyForgotten() {
    warm("m1", "m2");
    Grant grant = granted(request("k1", keyKept(store.soon())));
    var unused = get(a.claims().release(call(grant)));
    store.pass(store.soon().multipliedBy(2));
    assertThat(granted("k1").session()).isNotEqualTo(grant.session());
  }

  @Test
  @DisplayName("same key while it waits: the same place, held by the newest call")
  void joins() {
    Waiter first = queued("k1");
    Waiter second = queued("k1");
    assertThat(second.session()).isEqualTo(first.session());
    assertThat(second.mark()).isNotEqualTo(first.mark());
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isEqualTo(1);
  }

  @Test
  @DisplayName("a request that got nothing leaves its key free")
  void nothingGotKeyFree() {
    assertThat(claim(impatient("k1"))).isEqualTo(new ClaimResult.NoneWarm());
    warm("m1");
    assertThat(granted("k1").machine()).isEqualTo(machine("m1"));
  }

  // ---- turned away

  @Test
  @DisplayName("none warm anywhere, and it would not wait: told at once")
  void noneWarm() {
    assertThat(claim(impatient("k1"))).isEqualTo(new ClaimResult.NoneWarm());
    assertThat(get(a.book().snapshot(POOL, IAD)).waiting()).isZero();
  }

  @Test
  @DisplayName("none warm anywhere: a place in the queue, with how many are ahead")
  void queuedWithPlace() {
    queued("k1");
    assertThat(claim(request("k2")))
        .isInstanceOfSatisfying(
            ClaimResult.Queued.class, queued -> assertThat(queued.ahead()).isEqualTo(1));
  }

  @Test
  @DisplayName("queue full: turned away, and those in it stay")
  void queueFull() {
    Terms two = queueMax(2);
    queued(request("k1", two));
    queued(request("k2", two));
    assertThat(claim(request("k3", two))).isEqualTo(new ClaimResult.QueueFull(2));
    assertThat(claim(request("k2", two))).isInstanceOf(ClaimResult.Queued.class);
  }

  // ---- what is counted

  @Test
  @DisplayName("arrivals count the region named first, once per request and not for replays")
  void arrivals() {
    warm("m1");
    granted(anywhere("k1", List.of(LHR, IAD)));
    claim(anywhere("k1", List.of(LHR, IAD)));
    claim(impatient("k2"));
    assertThat(get(a.book().snapshot(POOL, LHR)).arrivals()).isEqualTo(1);
    assertThat(get(a.book().snapshot(POOL, IAD)).arrivals()).isEqualTo(1);
  }

  ClaimRequest impatient(String key) {
    return request(key, "acme", List.of(IAD), Duration.ZERO, easy());
  }

  ClaimRequest anywhere(String key, List<Region> regions) {
    return request(key, "acme", regions, store.far(), easy());
  }

  private SessionId sessionOf(String key) {
    return ((ClaimResult.Granted) claim(request(key))).grant().session();
  }

  private void warmSince(String id, Instant provenAt) {
    proving(id, IAD, "7");
    var unused = get(a.book().prove(iad, proof(id, provenAt), easy()));
  }
}
