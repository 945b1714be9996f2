// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  }

  // ---- observing

  boolean isObserveDue(Duration every, Instant now) {
    boolean underWay = observing && plus(observeBegan, OBSERVATION_LOST_AFTER).isAfter(now);
    if (underWay || observeAt.isAfter(now)) return false;
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

  List<MachineId> toWatch(Collection<Booked> machines, Instant now) {
    Set<MachineId> assigned = new HashSet<>();
    for (Booked machine : machines) {
      if (machine.state().standing() == Standing.ASSIGNED) assigned.add(machine.id());
    }
    watching.values().removeIf(began -> began.plus(WATCH_LOST_AFTER).isBefore(now));
    watchAgain.keySet().retainAll(assigned);
    List<MachineId> begun = new ArrayList<>();
    for (MachineId machine : assigned.stream().sorted().toList()) {
      if (watching.size() >= WATCHES_MOST) break;
      if (watching.containsKey(machine)) continue;
      if (watchAgain.getOrDefault(machine, Instant.MIN).isAfter(now)) continue;
      watching.put(machine, now);
      begun.add(machine);
    }
    return begun;
  }

  void watched(MachineId machine, Instant now) {
    watching.remove(machine);
    watchAgain.put(machine, now.plus(WATCH_APART));
  }

  private static Instant plus(Instant at, Duration length) {
    return at.equals(Instant.MIN) ? at : at.plus(length);
  }
}
