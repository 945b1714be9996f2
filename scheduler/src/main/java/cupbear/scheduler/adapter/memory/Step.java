// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.StoreRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One atomic step on one pool: the run of one script. Time stands still in it, and what it has to
 * say to others is said when it is over.
 */
final class Step {
  final PoolState pool;
  final Instant now;
  final StoreRules rules;

  /** The server this step runs on. */
  final String server;

  private final List<Grant> grants = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();

  Step(PoolState pool, Instant now, StoreRules rules, String server) {
    this.pool = pool;
    this.now = now;
    this.rules = rules;
    this.server = server;
  }

  Epoch nextEpoch() {
    return new Epoch(++pool.epoch);
  }

  /** Says to all replicas that a waiter has its Machine. */
  void tell(Grant grant) {
    grants.add(grant);
  }

  List<Grant> told() {
    return grants;
  }

  List<Entry> written() {
    return entries;
  }

  void write(Entry entry) {
    entries.add(pool.log.append(entry, now, rules.journalMax()));
  }

  void note(EntryKind kind, MachineRow machine, String why) {
    Region region = machine.region;
    write(new Entry("", now, kind.word(), pool.name, region, machine.id, null, null, why, none()));
  }

  void note(EntryKind kind, SessionRow session, String why, Map<String, String> data) {
    Grant grant = session.grant;
    Region region = grant == null ? session.regions.getFirst() : grant.region();
    MachineId machine = grant == null ? null : grant.machine();
    Epoch epoch = grant == null ? null : grant.epoch();
    SortedMap<String, String> facts = new TreeMap<>(data);
    String word = kind.word();
    write(new Entry("", now, word, pool.name, region, machine, session.id, epoch, why, facts));
  }

  void note(EntryKind kind, @Nullable Region region, @Nullable Epoch epoch, String why) {
    write(new Entry("", now, kind.word(), pool.name, region, null, null, epoch, why, none()));
  }

  private static SortedMap<String, String> none() {
    return new TreeMap<>();
  }
}
