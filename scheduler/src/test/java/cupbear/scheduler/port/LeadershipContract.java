// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who leads which regional pool, and who lives. */
abstract class LeadershipContract extends StoreContract {
  private static final Region NRT = new Region("nrt");

  @Test
  @DisplayName("one leads a regional pool at a time")
  void oneAtATime() {
    assertThat(get(b.leadership().campaign(POOL, IAD, B, store.far()))).isEmpty();
    assertThat(get(b.leadership().leader(POOL, IAD))).contains(A);
    assertThat(get(b.leadership().leader(POOL, NRT))).isEmpty();
  }

  @Test
  @DisplayName("regions are led one by one")
  void perRegion() {
    Mandate mandate = leads(b, B, NRT);
    assertThat(mandate.region()).isEqualTo(NRT);
    assertThat(get(a.leadership().leader(POOL, NRT))).contains(B);
    assertThat(get(a.leadership().leader(POOL, IAD))).contains(A);
  }

  @Test
  @DisplayName("every mandate has a higher epoch than any before")
  void epochsGrow() {
    Mandate first = leads(a, A, NRT);
    get(a.leadership().resign(first, A));
    Mandate second = leads(b, B, NRT);
    assertThat(first.epoch()).isGreaterThan(lhr.epoch());
    assertThat(second.epoch()).isGreaterThan(first.epoch());
  }

  @Test
  @DisplayName("who leads already and campaigns again has a new mandate, and the old one is void")
  void campaignAgain() {
    Mandate again = leads(a, A, IAD);
    assertThat(again.epoch()).isGreaterThan(iad.epoch());
    assertThat(get(a.leadership().renew(iad, A, store.far()))).isFalse();
    assertThat(trouble(a.book().expire(iad, easy()))).isEqualTo(StoreTrouble.Kind.FENCED);
  }

  @Test
  @DisplayName("a lease that is not renewed runs out, and another one leads")
  void leaseRunsOut() {
    Mandate brief = get(a.leadership().campaign(POOL, NRT, A, store.soon())).orElseThrow();
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(a.leadership().leader(POOL, NRT))).isEmpty();
    assertThat(get(a.leadership().renew(brief, A, store.far()))).isFalse();
    assertThat(trouble(a.book().expire(brief, easy()))).isEqualTo(StoreTrouble.Kind.FENCED);
    leads(b, B, NRT);
    assertThat(get(a.leadership().leader(POOL, NRT))).contains(B);
  }

  @Test
  @DisplayName("a renewed lease goes on")
  void renewed() {
    Mandate mandate = get(a.leadership().campaign(POOL, NRT, A, store.soon())).orElseThrow();
    assertThat(get(a.leadership().renew(mandate, A, store.far()))).isTrue();
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(b.leadership().leader(POOL, NRT))).contains(A);
  }

  @Test
  @DisplayName("nobody renews another one's mandate")
  void notSomebodyElses() {
    assertThat(get(b.leadership().renew(iad, B, store.far()))).isFalse();
  }

  @Test
  @DisplayName("who resigns lets another one lead at once")
  void resigns() {
    get(a.leadership().resign(iad, A));
    assertThat(get(a.leadership().leader(POOL, IAD))).isEmpty();
    leads(b, B, IAD);
  }

  @Test
  @DisplayName("to resign under an old mandate changes nothing")
  void resignsTooLate() {
    get(a.leadership().resign(iad, A));
    leads(b, B, IAD);
    get(a.leadership().resign(iad, A));
    assertThat(get(a.leadership().leader(POOL, IAD))).contains(B);
  }

  @Test
  @DisplayName("hello: all that said so within the time, itself included")
  void hello() {
    assertThat(get(a.leadership().hello(POOL, A, store.far()))).containsExactly(A);
    assertThat(get(b.leadership().hello(POOL, B, store.far()))).containsExactlyInAnyOrder(A, B);
    store.pass(store.soon().multipliedBy(2));
    assertThat(get(b.leadership().hello(POOL, B, store.soon()))).containsExactly(B);
  }

  @Test
  @DisplayName("goodbye: gone from the list at once")
  void goodbye() {
    var unused = get(a.leadership().hello(POOL, A, store.far()));
    get(a.leadership().goodbye(POOL, A));
    ReplicaId other = new ReplicaId("c");
    assertThat(get(b.leadership().hello(POOL, other, store.far()))).containsExactly(other);
  }
}
