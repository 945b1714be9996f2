// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.Entry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the store's journal to its end, through failovers: what was granted, and what ended. */
final class Scribe implements Runnable {
  private static final int PAGE = 2_000;
  private static final long PAUSE_MS = 100;

  private final RedisStore store;
  private final Set<String> granted = ConcurrentHashMap.newKeySet();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private String last = "";
  private volatile boolean finishing;

  Scribe(RedisStore store) {
    this.store = store;
  }

  Set<String> granted() {
    return granted;
  }

  Set<String> ended() {
    return ended;
  }

  /** Reads what is there, and ends. */
  void finish() {
    finishing = true;
  }

  @Override
  public void run() {
    while (true) {
      boolean lastTurn = finishing;
      try {
        List<Entry> entries = Waits.get(store.journal().after(Torture.POOL, last, PAGE));
        entries.forEach(this::write);
        if (entries.size() == PAGE) continue;
        if (lastTurn) return;
        Thread.sleep(PAUSE_MS);
      } catch (IllegalStateException storeIsAway) {
        if (lastTurn) throw storeIsAway;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void write(Entry entry) {
    last = entry.id();
    if (entry.session() == null) return;
    String session = entry.session().value();
    switch (entry.kind()) {
      case "session.granted", "session.recognised" -> granted.add(session);
      case "session.ended", "session.withdrawn" -> ended.add(session);
      default -> {}
    }
  }
}
