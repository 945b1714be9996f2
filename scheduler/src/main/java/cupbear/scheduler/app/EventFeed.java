// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The journal for readers that come and go. A reader holds its own position and reads on when it is
 * woken, or after a while, since words may be lost; nothing is kept for it here. Any thread.
 */
public final class EventFeed {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(3);

  /** Before every entry. */
  public static final String BEGINNING = "0-0";

  private final Pools pools;
  private final Ports ports;
  private final Deadlines deadlines;
  private final List<Runnable> readers = new CopyOnWriteArrayList<>();
  private final Set<PoolName> heard = new HashSet<>();

  public EventFeed(Pools pools, Ports ports) {
    this.pools = pools;
    this.ports = ports;
    this.deadlines = new Deadlines(ports.time());
  }

  /** Calls the reader soon after something was written; end it with {@link #leave}. */
  public void join(Runnable reader) {
    for (PoolName pool : pools.all().keySet()) {
      boolean first;
      synchronized (this) {
        first = heard.add(pool);
      }
      if (first) ports.journal().onEntry(pool, any -> readers.forEach(Runnable::run));
    }
    readers.add(reader);
  }

  public void leave(Runnable reader) {
    readers.remove(reader);
  }

  public Future<List<Entry>> after(PoolName pool, String position, int most) {
    return deadlines.within(
        STORE_WITHIN, "journal", () -> ports.journal().after(pool, position, most));
  }

  /** The position of now, by the store's clock. */
  public Future<String> now(PoolSpec pool) {
    Region any = pool.placement().regions().getFirst();
    return deadlines
        .within(STORE_WITHIN, "snapshot", () -> ports.book().snapshot(pool.name(), any))
        // Entries of this very millisecond are shown: better one too many than one too few.
        .map(snapshot -> (snapshot.at().toEpochMilli() - 1) + "-" + Long.MAX_VALUE);
  }

  /** Whether the journal no longer reaches back to this position. */
  public Future<Boolean> hasGap(PoolName pool, String position) {
    if (position.equals(BEGINNING)) return Future.succeededFuture(false);
    return after(pool, "", 1)
        .map(oldest -> oldest.isEmpty() || compare(oldest.getFirst().id(), position) > 0);
  }

  /** Whose sessions these are: those of this caller, added to what is known already. */
  public Future<Void> learn(List<Entry> entries, Caller caller, Map<SessionId, Boolean> known) {
    Set<SessionId> unknown = new HashSet<>();
    List<Future<Void>> asked =
        entries.stream()
            .filter(entry -> entry.session() != null && !known.containsKey(entry.session()))
            .filter(entry -> unknown.add(java.util.Objects.requireNonNull(entry.session())))
            .map(entry -> learn(entry, caller, known))
            .toList();
    return Future.all(asked).mapEmpty();
  }

  private Future<Void> learn(Entry entry, Caller caller, Map<SessionId, Boolean> known) {
    SessionId session = java.util.Objects.requireNonNull(entry.session());
    return deadlines
        .within(STORE_WITHIN, "session", () -> ports.claims().session(entry.pool(), session))
        .map(view -> {
          synchronized (known) {
            known.put(session, view.filter(it -> it.caller().equals(caller)).isPresent());
          }
          return null;
        });
  }

  /** Orders positions of one pool. */
  public static int compare(String one, String other) {
    int byMillis = Long.compareUnsigned(part(one, 0), part(other, 0));
    return byMillis != 0 ? byMillis : Long.compareUnsigned(part(one, 1), part(other, 1));
  }

  private static long part(String position, int which) {
    int seam = position.indexOf('-');
    return Long.parseUnsignedLong(
        which == 0 ? position.substring(0, seam) : position.substring(seam + 1));
  }
}
