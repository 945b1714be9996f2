// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Terms.Failover;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happened, in order. */
abstract class JournalContract extends StoreContract {

  @Test
  @DisplayName("a Machine's way is written in the same steps that make it")
  void machines() {
    warm("m1");
    assertThat(kindsOn("m1"))
        .containsExactly("machine.enrolled", "machine.booted", "machine.staged", "machine.proven");
  }

  @Test
  @DisplayName("a session's way is written with its Machine, region and epoch")
  void sessions() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().confirm(call(grant)));
    var unused2 = get(a.claims().renew(call(grant), grant.epoch(), null));
    var unused3 = get(a.claims().release(call(grant)));
    List<Entry> entries = of(grant.session().value());
    assertThat(entries)
        .extracting(Entry::kind)
        .containsExactly("session.granted", "session.connected", "session.ended");
    assertThat(entries)
        .allSatisfy(entry -> {
          assertThat(entry.machine()).isEqualTo(grant.machine());
          assertThat(entry.region()).isEqualTo(IAD);
          assertThat(entry.epoch()).isEqualTo(grant.epoch());
        });
    assertThat(entries.getLast().data()).containsEntry("ended", "released");
  }

  @Test
  @DisplayName("the queue is written: queued, withdrawn")
  void queue() {
    Waiter waiter = queued("k1");
    var unused = get(a.claims().leave(POOL, waiter, WaitResult.Leaving.HUNG_UP));
    assertThat(of(waiter.session().value()))
        .extracting(Entry::kind)
        .containsExactly("session.queued", "session.withdrawn");
  }

  @Test
  @DisplayName("the death of a Machine in use is written: lost, replaced")
  void losing() {
    warm("m1");
    Grant grant = granted("k1");
    warm("m2");
    var unused =
        get(
            a.book()
                .lose(
                    iad, grant.machine(), grant.session(), grant.epoch(), terms(Failover.REPLACE)));
    assertThat(of(grant.session().value()))
        .extracting(Entry::kind)
        .containsExactly("session.granted", "session.lost", "session.replaced");
  }

  @Test
  @DisplayName("no secret is ever written")
  void noSecrets() {
    warm("m1");
    Grant grant = granted("k1");
    var unused = get(a.claims().confirm(call(grant)));
    assertThat(all()).noneSatisfy(entry -> assertThat(entry.toString()).contains("sealed-m1"));
  }

  @Test
  @DisplayName("every kind the store writes is in the vocabulary")
  void vocabulary() {
    warm("m1", "m2");
    granted("k1");
    assertThat(all()).isNotEmpty();
    assertThat(all()).allSatisfy(entry -> assertThat(EntryKind.of(entry.kind())).isPresent());
  }

  @Test
  @DisplayName("entries are read on from any one, oldest first, as many as asked for")
  void readOn() {
    warm("m1", "m2");
    List<Entry> all = all();
    assertThat(all.size()).isGreaterThan(4);
    List<Entry> first = get(b.journal().after(POOL, "", 2));
    assertThat(first).isEqualTo(all.subList(0, 2));
    List<Entry> next = get(b.journal().after(POOL, first.getLast().id(), 2));
    assertThat(next).isEqualTo(all.subList(2, 4));
    assertThat(get(b.journal().after(POOL, all.getLast().id(), 10))).isEmpty();
  }

  @Test
  @DisplayName("what others append stands in the same order, under a new id")
  void append() {
    warm("m1");
    Entry said = entry("plan.made");
    get(b.journal().append(POOL, List.of(said, entry("plan.done"))));
    warm("m2");
    List<Entry> all = all();
    assertThat(all).extracting(Entry::id).doesNotHaveDuplicates().doesNotContain("");
    assertThat(all)
        .extracting(Entry::kind)
        .containsSubsequence("machine.proven", "plan.made", "plan.done", "machine.enrolled");
    Entry read =
        all.stream().filter(each -> each.kind().equals("plan.made")).findFirst().orElseThrow();
    assertThat(read.at()).isEqualTo(said.at());
    assertThat(read.data()).containsEntry("fact", "small");
    assertThat(read.why()).isEqualTo("because");
  }

  @Test
  @DisplayName("journals of pools are apart")
  void poolsAreApart() {
    warm("m1");
    assertThat(get(a.journal().after(new PoolName("other"), "", 10))).isEmpty();
  }

  @Test
  @DisplayName("every replica hears of new entries soon, and of its pool alone")
  void heard() {
    List<Entry> heard = new CopyOnWriteArrayList<>();
    List<Entry> others = new CopyOnWriteArrayList<>();
    b.journal().onEntry(POOL, heard::add);
    b.journal().onEntry(new PoolName("other"), others::add);
    warm("m1");
    Awaitility.await().until(() -> heard.size() >= 4);
    assertThat(heard).extracting(Entry::kind).contains("machine.enrolled", "machine.proven");
    assertThat(heard).extracting(Entry::id).doesNotContain("");
    assertThat(others).isEmpty();
  }

  @Test
  @DisplayName("a loss of data and its end are written")
  void recovery() {
    assertThat(all())
        .extracting(Entry::kind)
        .containsSubsequence("store.recovering", "store.ready", "leader.elected");
  }

  private List<Entry> all() {
    return get(a.journal().after(POOL, "", 1000));
  }

  private List<String> kindsOn(String machine) {
    return all().stream()
        .filter(entry -> machine(machine).equals(entry.machine()))
        .map(Entry::kind)
        .toList();
  }

  private List<Entry> of(String session) {
    return all().stream()
        .filter(entry -> entry.session() != null && entry.session().value().equals(session))
        .toList();
  }

  private static Entry entry(String kind) {
    TreeMap<String, String> data = new TreeMap<>();
    data.put("fact", "small");
    return new Entry("", BOOT, kind, POOL, IAD, null, null, null, "because", data);
  }
}
