// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what callers saw and what the store wrote down, and says what cannot both be true. */
final class Checker {
  /** A session as all sightings of it together tell. */
  private record Held(String session, String machine, long epoch, long from, long until) {}

  /**
   * What is known when all is quiet again.
   *
   * @param granted sessions that the store's journal says were granted
   * @param over sessions of those that the store says are over, or withdrawn
   * @param unknown sessions of those that the store does not know any more
   * @param live sessions that the store still takes for alive
   * @param notWarm Machines that did not come back to the shelf
   */
  record Aftermath(
      Set<String> granted,
      Set<String> over,
      Set<String> unknown,
      Set<String> live,
      Set<String> notWarm) {}

  private final List<String> wrong = new ArrayList<>();

  private Checker() {}

  /** What is wrong; empty when nothing is. */
  static List<String> check(List<Sighting> sightings, Aftermath aftermath) {
    Checker checker = new Checker();
    checker.oneSessionPerKey(sightings);
    List<Held> sessions = checker.sessions(sightings);
    checker.oneEpochPerSession(sessions);
    checker.oneSessionPerMachine(sessions);
    checker.accounts(sightings, aftermath);
    return checker.wrong;
  }

  private void say(String what) {
    wrong.add(what);
  }

  private void oneSessionPerKey(List<Sighting> sightings) {
    Map<String, Set<String>> sessions = new TreeMap<>();
    for (Sighting each : sightings) {
      sessions.computeIfAbsent(each.key(), any -> new TreeSet<>()).add(each.session());
    }
    sessions.forEach((key, all) -> {
      if (all.size() > 1) say("key %s was answered with the sessions %s".formatted(key, all));
    });
  }

  private List<Held> sessions(List<Sighting> sightings) {
    Map<String, Held> sessions = new TreeMap<>();
    for (Sighting each : sightings) {
      Held seen = new Held(each.session(), each.machine(), each.epoch(), each.from(), each.until());
      Held known = sessions.putIfAbsent(each.session(), seen);
      if (known == null) continue;
      if (!known.machine().equals(seen.machine()) || known.epoch() != seen.epoch()) {
        say("session %s was seen as %s and as %s".formatted(each.session(), known, seen));
      }
      // Whoever begins to give it back gives it back for all who hold it.
      sessions.put(
          each.session(),
          new Held(
              known.session(),
              known.machine(),
              known.epoch(),
              Math.min(known.from(), seen.from()),
              Math.min(known.until(), seen.until())));
    }
    return List.copyOf(sessions.values());
  }

  private void oneEpochPerSession(List<Held> sessions) {
    Map<Long, String> byEpoch = new HashMap<>();
    for (Held each : sessions) {
      String other = byEpoch.putIfAbsent(each.epoch(), each.session());
      if (other != null) {
        say("epoch %d was given to %s and to %s".formatted(each.epoch(), other, each.session()));
      }
    }
  }

  private void oneSessionPerMachine(List<Held> sessions) {
    Map<String, List<Held>> byMachine = new TreeMap<>();
    for (Held each : sessions) {
      // An answer that came when its time was over already was nobody's.
      if (each.from() < each.until()) {
        byMachine.computeIfAbsent(each.machine(), any -> new ArrayList<>()).add(each);
      }
    }
    byMachine.forEach((machine, held) -> {
      held.sort(Comparator.comparingLong(Held::from));
      for (int i = 1; i < held.size(); i++) {
        Held before = held.get(i - 1);
        Held after = held.get(i);
        if (after.from() < before.until()) {
          say(
              "Machine %s was in two sessions at once: %s and %s"
                  .formatted(machine, before, after));
        }
        if (after.epoch() < before.epoch()) {
          say(
              "Machine %s went back to an earlier epoch: %s, then %s"
                  .formatted(machine, before, after));
        }
      }
    });
  }

  private void accounts(List<Sighting> sightings, Aftermath aftermath) {
    Set<String> seen = new TreeSet<>();
    sightings.forEach(each -> seen.add(each.session()));
    for (String session : seen) {
      if (!aftermath.granted().contains(session)) {
        say("session %s was delivered, and the store never granted it".formatted(session));
      }
    }
    for (String session : aftermath.granted()) {
      if (aftermath.over().contains(session)) continue;
      if (!aftermath.unknown().contains(session)) {
        say("session %s was granted, and nobody knows how it ended".formatted(session));
      } else if (seen.contains(session)) {
        say("session %s was delivered, and the store has lost it".formatted(session));
      }
    }
    aftermath.live().forEach(session -> say("session %s never ended".formatted(session)));
    aftermath.notWarm().forEach(machine -> say("Machine %s never came back".formatted(machine)));
  }
}
