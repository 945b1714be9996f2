// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.flysim.viewer.Answered;
import cupbear.gateway.Grant;
import cupbear.load.report.LoadReport.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every grant as its gateway saw it, and what must never be seen: the promises, judged from
 * outside. It asks nobody inside a scheduler. Any thread; told in the order in which gateways hear
 * and act.
 */
final class Ledger {
  /** More of the same tells nothing new. */
  private static final int TOLD_MOST = 20;

  /** How often guacd is asked, healthy, before a Machine is warm (health.healthy_rounds). */
  private static final int ROUNDS = 2;

  /** What is promised; the texts stand in the report. */
  enum Rule {
    ONE_SESSION_PER_MACHINE("no Machine in two sessions at once"),
    EPOCHS_GROW("each grant of a Machine has a higher epoch than the one before"),
    ONLY_PROVEN("no session on a Machine that was not proven since it was started"),
    GRANTED_SERVES("a granted Machine shows its desktop, to the login of the grant"),
    RUNS_ON("no live session stopped by the scheduler"),
    ANSWERED_ONCE("every request answered once"),
    SESSIONS_DIFFER("no two requests answered with one session");

    final String text;

    Rule(String text) {
      this.text = text;
    }
  }

  /** Who holds a Machine, as far as their gateway knows. */
  private record Holder(String session, Supplier<Instant> leaseEnds) {}

  private final Map<Rule, Long> checks = new EnumMap<>(Rule.class);
  private final Map<Rule, List<String>> broken = new EnumMap<>(Rule.class);
  private final Map<Rule, Long> brokenCount = new EnumMap<>(Rule.class);
  private final Map<String, Holder> held = new HashMap<>();
  private final Map<String, Long> epochs = new HashMap<>();
  private final Map<String, String> harmed = new HashMap<>();
  private final Set<String> sessions = new HashSet<>();
  private final Set<Integer> open = new HashSet<>();
  private final Set<Integer> answered = new HashSet<>();

  Ledger() {
    for (Rule each : Rule.values()) {
      checks.put(each, 0L);
      broken.put(each, new ArrayList<>());
      brokenCount.put(each, 0L);
    }
  }

  // ---- requests

  synchronized void asked(int arrival) {
    open.add(arrival);
  }

  /**
   * @param silence what was heard instead of an answer; null when there was one
   */
  synchronized void answered(int arrival, @Nullable String silence) {
    check(Rule.ANSWERED_ONCE);
    if (!open.remove(arrival) || !answered.add(arrival)) {
      say(Rule.ANSWERED_ONCE, "request %d was answered twice".formatted(arrival));
    }
    if (silence != null) {
      say(Rule.ANSWERED_ONCE, "request %d was not answered: %s".formatted(arrival, silence));
    }
  }

  /** When everybody has gone: whoever is still open was forgotten. */
  synchronized void closed() {
    for (int each : open) {
      check(Rule.ANSWERED_ONCE);
      say(Rule.ANSWERED_ONCE, "request %d was never answered".formatted(each));
    }
    open.clear();
  }

  // ---- grants

  /**
   * A gateway heard of its Machine.
   *
   * @param fresh a session nobody had before; false for another Machine under the same session
   * @param leaseEnds as the gateway knows it, now and later
   * @param witness what the Machine itself says it answered; empty when it cannot be asked
   */
  synchronized void granted(
      Grant grant, boolean fresh, Supplier<Instant> leaseEnds, Optional<Answered> witness) {
    String machine = grant.machine().id();
    check(Rule.ONE_SESSION_PER_MACHINE);
    Holder other = held.get(machine);
    if (other != null
        && !other.session().equals(grant.session())
        && other.leaseEnds().get().isAfter(Instant.now())) {
      say(
          Rule.ONE_SESSION_PER_MACHINE,
          "%s is held by %s and was given to %s"
              .formatted(machine, other.session(), grant.session()));
    }
    held.put(machine, new Holder(grant.session(), leaseEnds));
    check(Rule.EPOCHS_GROW);
    Long before = epochs.put(machine, grant.epoch());
    if (before != null && before >= grant.epoch()) {
      say(
          Rule.EPOCHS_GROW,
          "%s was given under epoch %d after %d".formatted(machine, grant.epoch(), before));
    }
    if (fresh) {
      check(Rule.SESSIONS_DIFFER);
      if (!sessions.add(grant.session())) {
        say(Rule.SESSIONS_DIFFER, grant.session() + " was the answer to two requests");
      }
    }
    witness.ifPresent(seen -> proven(grant, seen));
  }

  private void proven(Grant grant, Answered seen) {
    String machine = grant.machine().id();
    // What was done to a Machine after it was proven is not the scheduler's word.
    if (harmed.containsKey(machine)) return;
    check(Rule.ONLY_PROVEN);
    if (seen.guacd() < ROUNDS || seen.rdp() < 1) {
      say(
          Rule.ONLY_PROVEN,
          "%s was given to %s after %d guacd and %d RDP questions"
              .formatted(machine, grant.session(), seen.guacd(), seen.rdp()));
    }
  }

  /** The user sees the desktop. */
  synchronized void serves(Grant grant) {
    check(Rule.GRANTED_SERVES);
  }

  synchronized void doesNotServe(Grant grant, String why) {
    String machine = grant.machine().id();
    held.remove(machine);
    if (harmed.containsKey(machine)) return;
    check(Rule.GRANTED_SERVES);
    say(
        Rule.GRANTED_SERVES,
        "%s, given to %s, did not serve: %s".formatted(machine, grant.session(), why));
  }

  /** Said before the scheduler hears of it. */
  synchronized void left(Grant grant) {
    check(Rule.RUNS_ON);
    held.remove(grant.machine().id());
  }

  /** The user did not leave, and the desktop did. */
  synchronized void disturbed(Grant grant, String why) {
    String machine = grant.machine().id();
    held.remove(machine);
    if (harmed.containsKey(machine)) return;
    check(Rule.RUNS_ON);
    say(Rule.RUNS_ON, "%s on %s: %s".formatted(grant.session(), machine, why));
  }

  /** The scenario does something to this Machine: from now on it proves nothing. */
  synchronized void harmed(String machine, String how) {
    harmed.put(machine, how);
  }

  /** Each promise, how often it could have been broken, and what was seen instead. */
  synchronized List<Promise> promises() {
    List<Promise> all = new ArrayList<>();
    for (Rule each : Rule.values()) {
      List<String> told = new ArrayList<>(list(each));
      long more = count(brokenCount, each) - told.size();
      if (more > 0) told.add("and %d more".formatted(more));
      all.add(new Promise(each.text, count(checks, each), told));
    }
    return all;
  }

  synchronized long brokenSoFar() {
    return brokenCount.values().stream().mapToLong(Long::longValue).sum();
  }

  private void check(Rule rule) {
    checks.merge(rule, 1L, Long::sum);
  }

  private void say(Rule rule, String what) {
    brokenCount.merge(rule, 1L, Long::sum);
    if (list(rule).size() < TOLD_MOST) list(rule).add(what);
  }

  private List<String> list(Rule rule) {
    return broken.getOrDefault(rule, List.of());
  }

  private static long count(Map<Rule, Long> map, Rule rule) {
    return map.getOrDefault(rule, 0L);
  }
}
