// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of a pool. In Redis: the hashes {@code session:<id>}; {@code live}, a sorted set of
 * those not over, scored by a counter; two sorted sets scored by the moment something is due,
 * {@code waiters:due} of those in the queue for the first time and {@code leases} of all others;
 * and a time to live on each that is over.
 */
final class Sessions {
  private final Map<SessionId, SessionRow> rows = new TreeMap<>();
  private final SequencedMap<Long, SessionId> live = new TreeMap<>();
  private final Map<SessionId, Long> born = new TreeMap<>();
  private final Calendar<SessionId> leases;
  private final Calendar<SessionId> waiting;
  private final Calendar<SessionId> fading;
  private long births;

  Sessions() {
    this(new Calendar<>(), new Calendar<>(), new Calendar<>());
  }

  private Sessions(
      Calendar<SessionId> leases, Calendar<SessionId> waiting, Calendar<SessionId> fading) {
    this.leases = leases;
    this.waiting = waiting;
    this.fading = fading;
  }

  Sessions copy() {
    Sessions copy = new Sessions(leases.copy(), waiting.copy(), fading.copy());
    rows.forEach((id, row) -> copy.rows.put(id, row.copy()));
    copy.live.putAll(live);
    copy.born.putAll(born);
    copy.births = births;
    return copy;
  }

  @Nullable SessionRow find(SessionId id) {
    return rows.get(id);
  }

  /** A new one, or one that was over and begins anew. */
  void add(SessionRow row) {
    rows.put(row.id, row);
    fading.remove(row.id);
    births++;
    live.put(births, row.id);
    born.put(row.id, births);
    due(row, row.due);
  }

  /** When somebody has to look, by what it waits for now. */
  void due(SessionRow row, Instant at) {
    row.due = at;
    leases.remove(row.id);
    waiting.remove(row.id);
    (row.stage == Stage.WAITING ? waiting : leases).put(row.id, at);
  }

  /** Over: nobody looks after it any more, and it is forgotten at the given moment. */
  void retire(SessionRow row, Instant forgetAt) {
    leases.remove(row.id);
    waiting.remove(row.id);
    Long number = born.remove(row.id);
    if (number != null) live.remove(number);
    fading.put(row.id, forgetAt);
  }

  Optional<SessionRow> firstWaiterDue(Instant now) {
    return waiting.firstDue(now).map(rows::get);
  }

  Optional<SessionRow> firstLeaseDue(Instant now) {
    return leases.firstDue(now).map(rows::get);
  }

  /** Those not over, oldest first. */
  List<SessionRow> live() {
    List<SessionRow> found = new ArrayList<>();
    for (SessionId id : live.values()) {
      SessionRow row = rows.get(id);
      if (row != null) found.add(row);
    }
    return found;
  }

  void forgetOld(Instant now) {
    for (var gone = fading.popDue(now); gone.isPresent(); gone = fading.popDue(now)) {
      rows.remove(gone.get());
    }
  }
}
