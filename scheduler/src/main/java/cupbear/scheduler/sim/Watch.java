// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The promises about Machines and sessions, checked as things happen: at the store when a step was
 * carried out, at Fly when a call takes effect, at the gateways when an answer is heard. It knows
 * the truth, and what each party believes; the scheduler's own word counts for nothing here.
 */
final class Watch implements StoreWire.Witness, SimFly.Witness {
  /** A proof may be as old as the product trusts it, and a request be under way that long. */
  private static final Duration PROOF_TRUST = Duration.ofSeconds(30);

  private final Agenda agenda;
  private final Court court;
  private final Headroom headroom;
  private final Repeats repeats;
  private @Nullable SimFly fly;

  private long newestEpoch;
  private final Map<MachineId, List<Visit>> holders = new HashMap<>();
  private final Map<MachineId, SessionId> usedBy = new HashMap<>();
  private final Map<String, Grant> byKey = new HashMap<>();
  private final Set<MachineId> givenUp = new HashSet<>();
  private final Set<SessionId> lost = new HashSet<>();
  private final Map<SessionId, Long> left = new HashMap<>();
  private final Set<String> seen = new HashSet<>();

  Watch(Agenda agenda, Court court, Headroom headroom, Repeats repeats) {
    this.agenda = agenda;
    this.court = court;
    this.headroom = headroom;
    this.repeats = repeats;
  }

  void over(SimFly truth) {
    fly = truth;
  }

  // At the store.

  @Override
  public void executed(String by, String step, Object about, @Nullable Object result) {
    switch (result) {
      case ClaimResult.Granted granted -> {
        if (!granted.replayed()) granted(granted.grant(), by);
      }
      case ClaimResult.Queued any -> left.remove(any.waiter().session());
      case ProveResult.Granted granted -> granted(granted.grant(), by);
      case LoseResult.Replaced replaced -> {
        lost.add(replaced.grant().session());
        if (about instanceof MachineId machine) givenUp.add(machine);
        granted(replaced.grant(), by);
      }
      case LoseResult.Lost any -> {
        if (about instanceof MachineId machine) givenUp.add(machine);
      }
      case WaitResult.Left any -> left(about);
      case WaitResult.TakenBack any -> left(about);
      case Optional<?> some when some.isPresent() && some.get() instanceof Mandate mandate -> {
        grows("mandate", mandate.epoch());
        repeats.elected(by);
      }
      case null, default -> {}
    }
    if (about instanceof ClaimRequest request) left.remove(request.proposed().session());
  }

  private void left(Object about) {
    if (about instanceof Waiter waiter) left.put(waiter.session(), agenda.nanos());
  }

  /** A grant was made, in whichever step. */
  void granted(Grant grant, String by) {
    if (!seen.add(grant.session() + "/" + grant.epoch())) return;
    court.trace("store", "grant", grant.session(), grant.machine(), grant.epoch(), "by", by);
    grows("grant", grant.epoch());
    court.check();
    SimMachine machine = fly().machine(grant.machine());
    if (machine == null || !machine.ours) {
      court.violated("only-what-exists", grant + ", which Fly does not have");
      return;
    }
    if (!machine.wasHealthy(agenda.nanos())) {
      court.violated("only-proven", grant + ", which was never healthy in this boot");
    }
    SessionId before = usedBy.get(grant.machine());
    if (machine.used && before != null && !before.equals(grant.session())) {
      court.violated("wiped-between-sessions", grant + ", not wiped since " + before);
    }
    court.check();
    alone(grant, "granted");
    if (left.containsKey(grant.session())) {
      court.violated("nobody-left-is-granted", grant + ", whose caller has left the queue");
    }
  }

  private void grows(String what, Epoch epoch) {
    court.check();
    if (epoch.value() <= newestEpoch) {
      court.violated("epochs-grow", what + " with " + epoch + " after " + newestEpoch);
    }
    newestEpoch = Math.max(newestEpoch, epoch.value());
  }

  // At the gateways.

  /** A caller heard that it has a Machine. */
  void keyAnswered(Visit visit, Grant grant) {
    court.check();
    Grant first = byKey.putIfAbsent(grant.caller() + " " + visit.key, grant);
    if (first != null && !first.session().equals(grant.session())) {
      court.violated("one-session-per-key", visit.key + " got " + first + " and " + grant);
    }
    if (first == null) delivered(visit, grant);
  }

  /** A session is on this Machine from now on, as its holder sees it. */
  void delivered(Visit visit, Grant grant) {
    alone(grant, "heard");
    holders.computeIfAbsent(grant.machine(), any -> new ArrayList<>()).add(visit);
    SimMachine machine = fly().machine(grant.machine());
    if (machine == null) return;
    court.check();
    boolean healthy = machine.isHealthy(agenda.nanos());
    long age = agenda.nanos() - machine.healthySeen;
    if (!healthy && age > PROOF_TRUST.toNanos() + court.leeway()) {
      court.violated(
          "only-fresh-proofs",
          "%s; its Machine was last healthy %d ms ago".formatted(grant, age / 1_000_000));
    }
    machine.used = true;
    usedBy.put(grant.machine(), grant.session());
  }

  void epochHeard(Grant before, Grant now) {
    court.check();
    if (now.epoch().isOlderThan(before.epoch())) {
      court.violated("epochs-grow", "a caller heard " + now + " after " + before);
    }
  }

  private void alone(Grant grant, String how) {
    court.check();
    for (Visit other : holders(grant.machine())) {
      if (!grant.session().equals(other.session())) {
        court.violated(
            "one-session-per-machine", "%s %s while %s is live".formatted(grant, how, other));
      }
    }
  }

  /** Those who believe that they live on this Machine. */
  private List<Visit> holders(MachineId machine) {
    List<Visit> all = holders.get(machine);
    if (all == null) return List.of();
    all.removeIf(visit -> !machine.equals(visit.machine()) || !visit.isLive(agenda.now()));
    if (all.isEmpty()) holders.remove(machine);
    return all;
  }

  // At Fly.

  @Override
  public void touching(String action, SimMachine machine, String by) {
    court.check();
    if (!machine.ours) {
      court.violated("foreign-untouched", by + " sends " + action + " to " + machine.id);
    }
  }

  @Override
  public void takingDown(String action, SimMachine machine, String by) {
    court.check();
    for (Visit visit : holders(machine.id)) {
      boolean dead = !machine.isHealthy(agenda.nanos());
      if (dead || givenUp.contains(machine.id)) continue;
      court.violated(
          "live-sessions-run-on", "%s of %s by %s under %s".formatted(action, machine.id, by, visit));
    }
  }

  @Override
  public void changed(SimMachine machine) {
    headroom.changed(machine);
    if (!machine.exists()) {
      usedBy.remove(machine.id);
      givenUp.remove(machine.id);
    }
  }

  private SimFly fly() {
    if (fly == null) throw new IllegalStateException("watch over which Fly?");
    return fly;
  }
}
