// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.MachineId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When to do what next: at once when there is reason to, never in a busy loop, and never waiting
 * for an answer that got lost.
 */
final class Agenda {
  /** Between two observations, however much happens: Fly counts list calls. */
  private static final Duration OBSERVE_APART = Duration.ofSeconds(1);

  /** Between two passes over what is known already. */
  private static final Duration PASS_APART = Duration.ofMillis(250);

  /** An observation has a deadline of its own; one that is not back by then is lost. */
  private static final Duration OBSERVATION_LOST_AFTER = Duration.ofSeconds(15);

  private static final Duration VOUCH_EVERY = Duration.ofSeconds(1);
  private static final Duration EXPIRE_EVERY = Duration.ofSeconds(1);
  private static final Duration ANSWER_LOST_AFTER = Duration.ofSeconds(10);

  /** So many sessions ended in one step that there are probably more. */
  private static final int MANY_EXPIRED = 50;

  /** Long polls are open calls at Fly; beyond this the probes and the list have to do. */
  private static final int WATCHES_MOST = 64;

  /** A watch that failed at once must not be repeated at once. */
  private static final Duration WATCH_APART = Duration.ofSeconds(2);

  private static final Duration WATCH_LOST_AFTER = Duration.ofMinutes(2);

  private Instant observeAt = Instant.MIN;
  private Instant observeBegan = Instant.MIN;
  private boolean observing;
  private Instant passedAt = Instant.MIN;
  private @Nullable Instant passAt;
  private Instant vouchAt = Instant.MIN;
  private Instant expireAt = Instant.MIN;
  private final Map<MachineId, Instant> watching = new HashMap<>();
  private final Map<MachineId, Instant> watchAgain = new HashMap<>();

  /** Nothing is to be watched anew before this, unless the book changes. */
  private Instant watchAt = Instant.MIN;

  private Ledger.@Nullable View watchedOver;

  /** From the beginning, under another clock. */
  void restart() {
    observeAt = Instant.MIN;
    observeBegan = Instant.MIN;
    observing = false;
    passedAt = Instant.MIN;
    passAt = null;
    vouchAt = Instant.MIN;
    expireAt = Instant.MIN;
    watching.clear();
    watchAgain.clear();
    watchAt = Instant.MIN;
  }

  /** When there will be something to do next, for what is timed here and known now. */
  Instant next(boolean toVouch) {
    Instant next = expireAt;
    if (observeDueAt().isBefore(next)) next = observeDueAt();
    if (passAt != null && passAt.isBefore(next)) next = passAt;
    if (toVouch && vouchAt.isBefore(next)) next = vouchAt;
    return watchAt.isBefore(next) ? watchAt : next;
  }

  // ---- observing

  /** One that is under way is waited for, but not for ever. */
  private Instant observeDueAt() {
    Instant lost = observing ? plus(observeBegan, OBSERVATION_LOST_AFTER) : Instant.MIN;
    return lost.isAfter(observeAt) ? lost : observeAt;
  }

  boolean isObserveDue(Duration every, Instant now) {
    if (observeDueAt().isAfter(now)) return false;
    observing = true;
    observeBegan = now;
    observeAt = now.plus(every);
    return true;
  }

  /** An observation came back; says when it was asked for. */
  Instant observed(Instant now) {
    observing = false;
    return observeBegan.isAfter(now) || observeBegan.equals(Instant.MIN) ? now : observeBegan;
  }

  /** There is news: look soon. */
  void wake(Instant now) {
    Instant soonest = plus(observeBegan, OBSERVE_APART);
    Instant at = soonest.isAfter(now) ? soonest : now;
    if (at.isBefore(observeAt)) observeAt = at;
  }

  /** Answers may have been lost: look anew. */
  void lostTrack(Instant now) {
    observing = false;
    wake(now);
  }

  // ---- passes

  void passSoon(Instant now) {
    Instant soonest = plus(passedAt, PASS_APART);
    Instant at = soonest.isAfter(now) ? soonest : now;
    if (passAt == null || at.isBefore(passAt)) passAt = at;
  }

  boolean isPassDue(Instant now) {
    return passAt != null && !passAt.isAfter(now);
  }

  void passed(boolean partial, Instant now) {
    passedAt = now;
    passAt = partial ? now.plus(PASS_APART) : null;
  }

  // ---- housekeeping in the store

  boolean isVouchDue(Instant now) {
    return !vouchAt.isAfter(now);
  }

  void vouching(Instant now) {
    vouchAt = now.plus(ANSWER_LOST_AFTER);
  }

  void vouched(Instant now) {
    vouchAt = now.plus(VOUCH_EVERY);
  }

  boolean isExpireDue(Instant now) {
    if (expireAt.isAfter(now)) return false;
    expireAt = now.plus(ANSWER_LOST_AFTER);
    return true;
  }

  void expired(int sessions, Instant now) {
    expireAt = sessions >= MANY_EXPIRED ? now : now.plus(EXPIRE_EVERY);
    if (sessions > 0) wake(now);
  }

  // ---- watches

  @SuppressWarnings("ReferenceEquality") // the same object is the same book: see Ledger.View
  List<MachineId> toWatch(Ledger.View book, Instant now) {
    if (book == watchedOver && now.isBefore(watchAt)) return List.of();
    watchedOver = book;
    watching.values().removeIf(began -> !began.plus(WATCH_LOST_AFTER).isAfter(now));
    watchAgain.values().removeIf(again -> !again.isAfter(now));
    List<MachineId> begun = new ArrayList<>();
    for (MachineId machine : book.assigned()) {
      if (watching.size() >= WATCHES_MOST) break;
      if (watchAgain.containsKey(machine) || watching.putIfAbsent(machine, now) != null) continue;
      begun.add(machine);
    }
    watchAt = nextWatch();
    return begun;
  }

  /** Whatever else changes who is watched comes as an event. */
  private Instant nextWatch() {
    Instant next = Instant.MAX;
    for (Instant again : watchAgain.values()) if (again.isBefore(next)) next = again;
    for (Instant began : watching.values()) {
      Instant lost = began.plus(WATCH_LOST_AFTER);
      if (lost.isBefore(next)) next = lost;
    }
    return next;
  }

  void watched(MachineId machine, Instant now) {
    watching.remove(machine);
    watchAgain.put(machine, now.plus(WATCH_APART));
    watchAt = Instant.MIN;
  }

  private static Instant plus(Instant at, Duration length) {
    return at.equals(Instant.MIN) ? at : at.plus(length);
  }
}
