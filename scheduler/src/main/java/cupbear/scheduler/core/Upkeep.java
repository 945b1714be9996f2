// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Desired.AfterSession;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState.Assigned;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.MachineState.Condemned;
import cupbear.scheduler.model.MachineState.Draining;
import cupbear.scheduler.model.MachineState.Parked;
import cupbear.scheduler.model.MachineState.Proving;
import cupbear.scheduler.model.MachineState.Provisioning;
import cupbear.scheduler.model.MachineState.Unknown;
import cupbear.scheduler.model.MachineState.Warm;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Progress;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.model.Why;
import java.util.Comparator;
import java.util.Optional;

/** The next step of each Machine on its own way, whatever the size of the pool. */
final class Upkeep {
  private final Scene scene;
  private final Judge judge;
  private final Draft draft;

  Upkeep(Scene scene, Judge judge, Draft draft) {
    this.scene = scene;
    this.judge = judge;
    this.draft = draft;
  }

  void write() {
    for (Machine machine : scene.machines()) {
      Optional<Why> failing = judge.whyGiveUp(machine);
      if (failing.isPresent()) giveUp(machine, failing.get());
      else nextStep(machine);
    }
    scene.seen().strays().stream()
        .sorted(Comparator.comparing(Stray::id))
        .filter(this::isOverdue)
        .forEach(stray -> draft.offer(new Action.Adopt(stray.id(), unknownTo(stray))));
  }

  /** A Machine that may not be destroyed now must at least not be given out. */
  private void giveUp(Machine machine, Why why) {
    if (machine.state() instanceof Assigned assigned) {
      draft.offer(new Action.Lose(machine.id(), assigned.session(), assigned.epoch(), why));
      return;
    }
    boolean taken = draft.offer(new Action.Destroy(machine.id(), Reserve.CONDEMN, why));
    if (!taken && machine.state() instanceof Warm) {
      draft.offer(new Action.Doubt(machine.id(), why));
    }
  }

  private void nextStep(Machine machine) {
    Optional<Action> step =
        switch (machine.state()) {
          case Provisioning any -> booted(machine);
          case Proving proving -> stage(machine, proving);
          case Warm any -> judge.whyDoubt(machine).map(why -> new Action.Doubt(machine.id(), why));
          case Draining draining -> drained(machine, draining);
          case Parked any -> silence(machine);
          case Condemned condemned -> destroyed(machine, condemned);
          case Assigned any -> Optional.empty();
          case Unknown any -> Optional.empty();
        };
    step.ifPresent(draft::offer);
  }

  private Optional<Action> booted(Machine machine) {
    return machine.fly().power() == Power.RUNNING
        ? book(machine, Progress.BOOTED, new Why(Reason.BOOTED, "Fly says that it runs"))
        : Optional.empty();
  }

  private Optional<Action> stage(Machine machine, Proving proving) {
    boolean due =
        scene.desired().credentials()
            && !proving.staged()
            && machine.fly().power() == Power.RUNNING;
    Why why = new Why(Reason.CREDENTIALS_MISSING, "it needs its one-time credentials");
    return due ? Optional.of(new Action.Stage(machine.id(), why)) : Optional.empty();
  }

  /** Teardown, then stop, then (wiped) parked, or out when nobody would start it again. */
  private Optional<Action> drained(Machine machine, Draining draining) {
    if (Wipe.isDone(machine)) return stopped(machine, draining);
    if (machine.fly().power() == Power.GOING_DOWN || machine.fly().power() == Power.ABSENT) {
      return Optional.empty();
    }
    if (draining.cleaning() == Cleaning.DUE && scene.desired().playbook()) {
      Why why = new Why(Reason.SESSION_ENDED, "its session ended; the playbook is to run");
      return Optional.of(new Action.Teardown(machine.id(), why));
    }
    if (isLeavingForGood(draining)) return out(machine);
    Why why = new Why(Reason.SESSION_ENDED, "a stop wipes what its session left");
    Why unused = new Why(Reason.SURPLUS, "out of service and idle");
    boolean served = draining.cleaning() != Cleaning.NOTHING;
    return Optional.of(new Action.Stop(machine.id(), served ? why : unused));
  }

  private Optional<Action> stopped(Machine machine, Draining draining) {
    if (scene.isOldTemplate(machine)) {
      String detail = "stopped, and made from template %s".formatted(machine.template());
      return destroy(machine, Reserve.CONDEMN, new Why(Reason.OLD_TEMPLATE, detail));
    }
    if (isLeavingForGood(draining)) return out(machine);
    return book(machine, Progress.STOPPED, new Why(Reason.STOPPED, "stopped and wiped"));
  }

  private boolean isLeavingForGood(Draining draining) {
    return scene.desired().afterSession() == AfterSession.DESTROY
        && draining.cleaning() != Cleaning.NOTHING;
  }

  private Optional<Action> out(Machine machine) {
    Why why = new Why(Reason.AFTER_SESSION, "this pool destroys a Machine after its session");
    return destroy(machine, Reserve.CONDEMN, why);
  }

  private Optional<Action> silence(Machine machine) {
    Power power = machine.fly().power();
    boolean up = power == Power.RUNNING || power == Power.COMING_UP;
    Why why = new Why(Reason.STARTED_BY_OTHERS, "parked, but somebody else started it");
    return up ? Optional.of(new Action.Stop(machine.id(), why)) : Optional.empty();
  }

  private Optional<Action> destroyed(Machine machine, Condemned condemned) {
    if (judge.isGone(machine)) {
      return book(machine, Progress.GONE, new Why(Reason.GONE, "Fly no longer has it"));
    }
    boolean gatewayMayNotKnow =
        condemned.lost()
            && machine.fly().power() == Power.RUNNING
            && !scene.isPast(condemned.since(), scene.policy().turnover().lostGrace());
    if (gatewayMayNotKnow || machine.fly().power() == Power.ABSENT) return Optional.empty();
    return destroy(machine, Reserve.NONE, new Why(Reason.CONDEMNED, "condemned earlier"));
  }

  /** One that we are making ourselves is unknown only for a moment. */
  private boolean isOverdue(Stray stray) {
    return scene.isPast(stray.firstSeenAt(), scene.policy().turnover().strayGrace())
        && !scene.pending().creates().contains(stray.name());
  }

  private Why unknownTo(Stray stray) {
    String span = Span.of(stray.firstSeenAt(), scene.now());
    return new Why(Reason.UNKNOWN_STATE, "ours by its tag, in no book for " + span);
  }

  private static Optional<Action> book(Machine machine, Progress progress, Why why) {
    return Optional.of(new Action.Book(machine.id(), progress, why));
  }

  private static Optional<Action> destroy(Machine machine, Reserve reserve, Why why) {
    return Optional.of(new Action.Destroy(machine.id(), reserve, why));
  }
}
