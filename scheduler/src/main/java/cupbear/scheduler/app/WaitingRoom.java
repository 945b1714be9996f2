// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits on this replica, by session, and the newest words about grants: one may be faster than
 * the answer that says "wait". Any thread.
 */
final class WaitingRoom {
  /** More than can be granted while one answer travels. */
  private static final int WORDS_KEPT = 512;

  /** Somebody who waits. */
  interface Guest {
    /** A grant was made for the session; told at least once, on any thread. */
    void word(Grant grant);
  }

  private final int seats;
  private final Map<SessionId, Guest> waiting = new HashMap<>();
  private final Map<SessionId, Grant> words =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Grant> eldest) {
          return size() > WORDS_KEPT;
        }
      };

  WaitingRoom(int seats) {
    this.seats = seats;
  }

  synchronized boolean isFull() {
    return waiting.size() >= seats;
  }

  synchronized int size() {
    return waiting.size();
  }

  /** Waits for the word about a session; a newer call of the same session takes the seat over. */
  void enter(SessionId session, Guest guest) {
    Grant early;
    synchronized (this) {
      waiting.put(session, guest);
      early = words.get(session);
    }
    if (early != null) guest.word(early);
  }

  synchronized void leave(SessionId session, Guest guest) {
    waiting.remove(session, guest);
  }

  void word(Grant grant) {
    @Nullable Guest who;
    synchronized (this) {
      words.put(grant.session(), grant);
      who = waiting.get(grant.session());
    }
    if (who != null) who.word(grant);
  }
}
