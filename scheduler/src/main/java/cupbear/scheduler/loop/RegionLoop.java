// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.Reconciler;
import cupbear.scheduler.core.Strikes;
import cupbear.scheduler.core.Wishes;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.model.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Owns the soft state of one regional pool: takes what happened, gives back what to do about it.
 * Never waits, reads no clock, throws no dice but those it was given. Belongs to one thread, run to
 * completion.
 *
 * <p>Each event changes the state; after each of them everything that is due is done. So an event
 * that got lost costs time and nothing else.
 *
 * <p>May be lost at any moment: a new leader starts from the store, probes again, and falls back on
 * assumptions for what has to be measured (boot times, arrivals, strikes).
 */
public final class RegionLoop {
  private final Mandate mandate;
  private final Ledger ledger;
  private final Sightings sightings;
  private final HealthBook health = new HealthBook();
  private final DemandBook demand;
  private final Intentions intentions;
  private final Tasks tasks;
  private final Notes notes;
  private final Proving proving;
  private final BootBook boots;
  private final Picture picture;
  private final Agenda agenda = new Agenda();
  private final Recovering recovering = new Recovering();
  private final List<Effect> out = new ArrayList<>();
  private Declaration declaration;
  private Duration skew = Duration.ZERO;
  private boolean over;

  public RegionLoop(Mandate mandate, Declaration declaration, Memory memory, DoubleSupplier luck) {
    this.mandate = mandate;
    this.declaration = declaration;
    this.ledger = new Ledger(memory.machines());
    this.sightings = new Sightings(mandate);
    this.demand = new DemandBook(declaration.policy().sizing());
    this.intentions = new Intentions(mandate.region(), luck);
    this.tasks = new Tasks(mandate, ledger, sightings, intentions);
    this.notes = new Notes(mandate);
    this.proving = new Proving(health, intentions);
    this.boots = new BootBook(memory.boots());
    this.picture =
        new Picture(
            mandate, ledger, new Picture.Parts(sightings, health, demand, intentions, boots));
  }

  /** What the next loop of this regional pool should know. */
  public Memory memory() {
    Instant at = ledger.bookedAt() == null ? Instant.EPOCH : ledger.bookedAt();
    return new Memory(at, List.copyOf(ledger.machines()), boots.times());
  }

  /**
   * Takes one event.
   *
   * @param clock this process's steady time; the loop reckons in the store's
   */
  public List<Effect> on(Event event, Instant clock) {
    if (over) return List.of();
    out.clear();
    take(event, clock);
    if (!over) doWhatIsDue(clock.plus(skew));
    List<Effect> effects = List.copyOf(out);
    out.clear();
    return effects;
  }

  private void take(Event event, Instant clock) {
    Instant now = clock.plus(skew);
    switch (event) {
      case Event.Beat any -> {}
      case Event.Seen seen -> seen(seen, clock);
      case Event.Outcome outcome -> ended(outcome, now);
      case Event.Probed probed -> probed(probed, now);
      case Event.Proved proved -> proved(proved, now);
      case Event.Vouched any -> agenda.vouched(now);
      case Event.Looked looked -> sightings.sampled(looked, policy().trust());
      case Event.Watched watched -> watched(watched, now);
      case Event.Expired expired -> agenda.expired(expired.sessions(), now);
      case Event.Happened happened -> happened(happened.entry(), now);
      case Event.Declared declared -> declared(declared.declaration(), now);
      case Event.Spilled spilled -> demand.spilled(spilled.machines());
      case Event.Hinted hinted -> hinted(hinted, now);
      case Event.StoreLooked looked -> storeLooked(looked, now);
      case Event.Reported reported -> {
        recovering.reported();
        ledger.believe();
        agenda.wake(now);
        storeLooked(new Event.StoreLooked(reported.state(), false), now);
      }
      case Event.Overflowed overflowed -> overflowed(overflowed.dropped(), now);
      case Event.MandateLost any -> over = true;
    }
  }

  // ---- what happened

  private void seen(Event.Seen seen, Instant clock) {
    var snapshot = seen.snapshot();
    if (snapshot != null && ledger.bookedAt() == null) setClock(Skew.of(snapshot.at(), clock));
    Instant askedAt = agenda.observed(clock.plus(skew));
    if (seen.reportAsked()) recovering.asked();
    // What a damaged store has to say must not spoil what it is to be told.
    if (snapshot != null && !recovering.isReportOwed()) {
      if (!ledger.take(snapshot, askedAt)) {
        out.add(new Effect.LookAtStore("Machines that nobody took out are missing in its book"));
      } else {
        health.keepOnly(ledger.ids());
        notes.keepOnly(ledger.ids());
        proving.keepOnly(ledger.ids());
        boots.keepOnly(ledger.ids());
        demand.take(snapshot, clock.plus(skew));
      }
    }
    if (seen.list() != null) sightings.take(seen.list(), skew, ledger.view(), policy().trust());
    agenda.passSoon(clock.plus(skew));
  }

  /** Whatever was timed before the first snapshot was timed by another clock. */
  private void setClock(Duration measured) {
    if (measured.equals(skew)) return;
    skew = measured;
    agenda.restart();
    health.forget();
    proving.keepOnly(Set.of());
  }

  private void ended(Event.Outcome outcome, Instant now) {
    Action action = outcome.task().action();
    intentions.ended(action, outcome.ending(), policy(), now);
    note(notes.ended(action, outcome.ending(), now));
    switch (outcome.ending()) {
      case Ending.Done any -> done(outcome.task(), now);
      case Ending.CommandFailed any -> {
        if (action instanceof Action.Teardown torn) {
          ledger.moved(new Move.Clean(torn.machine(), false), now);
          agenda.passSoon(now);
        }
      }
      case Ending.Refused any -> agenda.wake(now);
      case Ending.FlyFailed any -> agenda.wake(now);
      case Ending.StoreFailed any -> agenda.wake(now);
      case Ending.TimedOut any -> {}
      case Ending.NotLeading any -> {}
    }
  }

  /** The next step need not wait for a snapshot, unless there is a Machine that we do not know. */
  private void done(Task task, Instant now) {
    ledger.done(task, now);
    agenda.passSoon(now);
    ActionKind kind = task.action().kind();
    if (kind == ActionKind.CREATE || kind == ActionKind.ADOPT) agenda.wake(now);
  }

  private void probed(Event.Probed probed, Instant now) {
    Booked machine = ledger.find(probed.machine());
    Health before = machine == null ? Health.UNKNOWN : health.of(machine);
    if (!health.take(probed, now) || machine == null) return;
    int out = policy().probing().strikesOut();
    note(notes.probed(machine.id(), before, health.of(machine), probed.answer(), out, now));
    if (probed.answer().verdict() != Verdict.STRIKE) return;
    if (Strikes.isOut(health.of(machine), policy().probing())) agenda.passSoon(now);
    boolean warm = machine.state().standing() == Standing.WARM;
    if (warm && !intentions.isUnderWay(ActionKind.DOUBT, machine.id().value(), now)) {
      Why why = new Why(Reason.UNPROVEN, "its newest probe failed: " + probed.answer().detail());
      perform(new Action.Doubt(machine.id(), why), now);
    }
  }

  private void proved(Event.Proved proved, Instant now) {
    Booked machine = ledger.find(proved.proof().machine());
    ProveResult result = proved.result();
    proving.ended(proved.proof(), result, now);
    boolean thisBoot = machine != null && machine.bootedAt().equals(proved.proof().bootedAt());
    if (machine == null || result == null || !thisBoot) return;
    switch (result) {
      case ProveResult.Warm any -> {
        boots.proven(machine, now);
        ledger.stands(machine.id(), new MachineState.Warm(now), now);
      }
      case ProveResult.Granted granted -> {
        boots.proven(machine, now);
        var grant = granted.grant();
        ledger.stands(
            machine.id(), new MachineState.Assigned(now, grant.session(), grant.epoch()), now);
      }
      case ProveResult.Held any -> {}
      case ProveResult.Refused any -> agenda.wake(now);
    }
  }

  private void watched(Event.Watched watched, Instant now) {
    agenda.watched(watched.machine(), now);
    var down = watched.down();
    if (down == null) return;
    sightings.take(down, now);
    agenda.passSoon(now);
    agenda.wake(now);
  }

  /** Sessions come and go, operators wish: worth a look. Our own lines are no news. */
  private void happened(Entry entry, Instant now) {
    boolean here = entry.region() == null || entry.region().equals(mandate.region());
    boolean news = entry.kind().startsWith("session.") || entry.kind().startsWith("operator.");
    if (here && news) agenda.wake(now);
  }

  private void declared(Declaration next, Instant now) {
    declaration = next;
    demand.resize(policy().sizing());
    agenda.passSoon(now);
  }

  private void hinted(Event.Hinted hinted, Instant now) {
    demand.hinted(hinted.perSecond(), now.plus(hinted.holds()));
    agenda.passSoon(now);
  }

  private void storeLooked(Event.StoreLooked looked, Instant now) {
    boolean wasOpen = recovering.isOpen();
    boolean well = recovering.take(looked.state());
    if (well) proving.release();
    if (well && (wasOpen || looked.onRequest())) ledger.believe();
    if (wasOpen == well || looked.onRequest()) agenda.wake(now);
  }

  private void overflowed(int dropped, Instant now) {
    out.add(new Effect.Breach("the inbox was full: %d events dropped".formatted(dropped)));
    agenda.lostTrack(now);
  }

  // ---- what follows

  private void doWhatIsDue(Instant now) {
    health.due(ledger.view(), policy(), now, out::add);
    if (agenda.isPassDue(now)) pass(now);
    prove(now);
    if (agenda.isVouchDue(now)) {
      var proofs = health.toVouch(ledger.view());
      if (!proofs.isEmpty()) {
        agenda.vouching(now);
        out.add(new Effect.Vouch(proofs));
      }
    }
    if (agenda.isExpireDue(now)) out.add(new Effect.Expire());
    agenda.toWatch(ledger.view(), now).forEach(id -> out.add(new Effect.Watch(id)));
    var sample = sightings.sample(policy().trust());
    if (!sample.isEmpty()) out.add(new Effect.Look(sample));
    recovering
        .due(ledger.machines(), sightings, now)
        .ifPresent(report -> out.add(new Effect.Report(report)));
    if (agenda.isObserveDue(policy().pass().every(), now)) out.add(new Effect.Observe());
  }

  /**
   * When there is something to do next if nothing happens before, by the clock of {@link #on}. May
   * be past: what waits for an event rather than for a time is due until that event comes.
   */
  public Instant wakeAt() {
    Instant next = agenda.next(health.hasNews(ledger.view()));
    for (Instant other :
        List.of(health.probeAt(), proving.next(ledger.view().proving()), recovering.dueAt())) {
      if (other.isBefore(next)) next = other;
    }
    return next.equals(Instant.MIN) || next.equals(Instant.MAX) ? next : next.minus(skew);
  }

  private void prove(Instant now) {
    List<Booked> candidates = ledger.view().proving();
    if (candidates.isEmpty()) return;
    Desired desired = desired();
    for (Booked machine : candidates) {
      proving.due(picture.machine(machine), machine, desired, policy(), now).ifPresent(out::add);
    }
  }

  /** One pass: merge, decide, act. */
  private void pass(Instant now) {
    List<Machine> machines = picture.machines();
    intentions.settle(machines, now);
    Observed seen = picture.of(machines, declaration, now);
    Plan plan = Reconciler.plan(seen, desired(), policy(), now);
    demand.wanted(plan.target().fresh(), now);
    plan.actions().stream().filter(this::mayAct).forEach(action -> perform(action, now));
    agenda.passed(plan.partial() && !isHeldBack(), now);
    RegionStatus status = picture.status(plan, seen, policy(), now);
    note(notes.planned(plan, status, now));
    out.add(new Effect.Publish(status, plan));
  }

  /** An operator's pause, or a store that is being rebuilt, holds back all that can wait. */
  private boolean isHeldBack() {
    return ledger.marks().paused() || recovering.isOpen();
  }

  /** A Machine that fails its probes must not be given out, pause or not. */
  private boolean mayAct(Action action) {
    return !isHeldBack() || action.kind() == ActionKind.DOUBT;
  }

  private void perform(Action action, Instant now) {
    Optional<Task> task = tasks.of(action, desired(), now);
    if (task.isEmpty()) return;
    if (action instanceof Action.Book book) {
      if (task.get() instanceof Task.Shift shift && shift.move() instanceof Move.Forget) {
        ledger.letGo(book.machine(), now);
      }
    }
    if (action.why().reason() == Reason.BOOT_DEADLINE) missedItsDeadline(action);
    intentions.begin(action, policy(), now);
    out.add(new Effect.Perform(task.get()));
  }

  private void missedItsDeadline(Action action) {
    Booked machine = action instanceof Action.Destroy gone ? ledger.find(gone.machine()) : null;
    if (machine != null) boots.late(machine, policy().probing());
  }

  private Desired desired() {
    return Wishes.of(declaration.desired(), ledger.marks());
  }

  private Policy policy() {
    return declaration.policy();
  }

  private void note(List<Entry> entries) {
    if (!entries.isEmpty()) out.add(new Effect.Note(entries));
  }
}
