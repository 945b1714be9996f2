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
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import java.time.Duration;
import java.time.Instant;
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

  /** What was seen may be acted upon this much later, and a fault may have lasted minutes. */
  private static final long EVIDENCE_KEPT = Duration.ofSeconds(90).toNanos();

  private static final long LONG_AGO = Long.MIN_VALUE / 2;

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
  private final Map<Region, Epoch> mandates = new HashMap<>();
  private long proberTroubleAt = LONG_AGO;
  private long dataLostAt = LONG_AGO;
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
    Object what = about;
    if (about instanceof StorePorts.Signed signed) {
      what = signed.what();
      if (!Boolean.FALSE.equals(result)) inOffice(by, step, signed.mandate());
    }
    if (what instanceof ClaimRequest request) left.remove(request.proposed().session());
    switch (result) {
      case ClaimResult.Granted granted -> {
        if (!granted.replayed()) granted(granted.grant(), by);
      }
      case ClaimResult.Queued queued -> left.remove(queued.waiter().session());
      case ProveResult.Granted granted -> granted(granted.grant(), by);
      case LoseResult.Replaced replaced -> {
        lost(what, by);
        granted(replaced.grant(), by);
      }
      case LoseResult.Lost any -> lost(what, by);
      case WaitResult.Left any -> left(what);
      case WaitResult.TakenBack any -> left(what);
      case Optional<?> some when some.isPresent() && some.get() instanceof Mandate mandate ->
          elected(by, mandate);
      case null, default -> {}
    }
  }

  private void elected(String by, Mandate mandate) {
    grows("mandate", mandate.epoch());
    repeats.elected(by);
    mandates.put(mandate.region(), mandate.epoch());
    court.trace(by, "leads", mandate.region(), mandate.epoch());
  }

  /** The store has carried out what an earlier leader asked for. */
  private void inOffice(String by, String step, Mandate mandate) {
    court.check();
    Epoch newest = mandates.getOrDefault(mandate.region(), mandate.epoch());
    if (mandate.epoch().isOlderThan(newest)) {
      court.violated(
          "old-leaders-are-refused",
          "%s did %s in %s under %s; it is %s now"
              .formatted(by, step, mandate.region(), mandate.epoch(), newest));
    }
  }

  /** A session was told that its Machine is dead. Was there any reason to think so? */
  private void lost(Object what, String by) {
    if (!(what instanceof MachineId id)) return;
    givenUp.add(id);
    court.check();
    SimMachine machine = fly().machine(id);
    if (machine == null || !machine.isHealthy(agenda.nanos()) || holders(id).isEmpty()) return;
    long now = agenda.nanos();
    boolean evidence =
        now - machine.troubleAt < EVIDENCE_KEPT
            || now - proberTroubleAt < EVIDENCE_KEPT
            || exitedUnderSession(machine);
    if (!evidence) {
      court.violated("nothing-lost-without-evidence", by + " gives up healthy " + id);
    }
  }

  /** What its user had open died with it, however well it came up again and whoever hears late. */
  private boolean exitedUnderSession(SimMachine machine) {
    Instant exited = machine.exitedAt;
    if (exited == null) return false;
    for (Visit visit : holders(machine.id)) {
      Instant granted = visit.grantedAt();
      if (granted != null && exited.isAfter(granted)) return true;
    }
    return false;
  }

  /**
   * The store has lost writes, or everything.
   *
   * @param from the moment of the first write that is lost: who left the queue since is back in it
   */
  void dataLost(long from) {
    dataLostAt = agenda.nanos();
    left.values().removeIf(at -> at >= from);
  }

  /** Probes say wrong things from now on, or have until now. */
  void proberInTrouble() {
    proberTroubleAt = agenda.nanos();
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
    if (machine.takenDown) {
      court.violated("nothing-granted-on-its-way-out", grant + ", which we have taken down");
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
    boolean another = first != null && !first.session().equals(grant.session());
    // With its data a store loses the keys of sessions that are over; a live one is put back.
    boolean forgotten = !visit.isLive(agenda.now()) && dataLostAt > visit.servedAt();
    if (another && !forgotten) {
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
    boolean dead = !machine.isHealthy(agenda.nanos());
    if (dead || givenUp.contains(machine.id)) return;
    for (Visit visit : holders(machine.id)) {
      court.violated(
          "live-sessions-run-on",
          "%s of %s by %s under %s".formatted(action, machine.id, by, visit));
    }
    if (headroom.isAssigned(machine)) {
      court.violated(
          "live-sessions-run-on",
          "%s of %s by %s, which the store has assigned".formatted(action, machine.id, by));
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
