// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The grants made or renewed through this replica within the last minute: what a store that lost
 * its newest writes has to be told. Any thread.
 */
public final class GrantMemory {
  /** Longer than a store can be away between a lost write and the report. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private record Remembered(Grant grant, long atNanos) {}

  private final Time time;
  private final Map<SessionId, Remembered> newest = new LinkedHashMap<>();

  public GrantMemory(Time time) {
    this.time = time;
  }

  public synchronized void remember(Grant grant) {
    forgetOld();
    newest.remove(grant.session());
    newest.put(grant.session(), new Remembered(grant, time.nanos()));
  }

  /** The session is over: nobody may bring it back. */
  public synchronized void forget(SessionId session) {
    newest.remove(session);
  }

  public synchronized List<Grant> of(PoolName pool) {
    forgetOld();
    return newest.values().stream()
        .map(Remembered::grant)
        .filter(grant -> grant.pool().equals(pool))
        .toList();
  }

  /** Insertion order is the order of age. */
  private void forgetOld() {
    long oldest = time.nanos() - KEPT.toNanos();
    var each = newest.values().iterator();
    while (each.hasNext() && each.next().atNanos() - oldest < 0) each.remove();
  }
}
