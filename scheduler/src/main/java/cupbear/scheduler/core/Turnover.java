// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Target;
import cupbear.scheduler.model.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Which idle Machines leave: asked out, too many, of an old template, or too old. */
final class Turnover {
  private final Scene scene;
  private final Census census;
  private final Target target;
  private final Draft draft;

  /** Idle Machines in the order in which they leave. */
  private final List<Machine> leaving;

  Turnover(Scene scene, Census census, Target target, Draft draft) {
    this.scene = scene;
    this.census = census;
    this.target = target;
    this.draft = draft;
    this.leaving = new ArrayList<>(census.idle());
    leaving.sort(
        Comparator.<Machine, Boolean>comparing(machine -> !scene.isOldTemplate(machine))
            .thenComparing(machine -> !isTooOld(machine))
            .thenComparing(machine -> machine.keep() == Keep.ALWAYS)
            .thenComparing(machine -> machine.state().since())
            .thenComparing(Machine::id));
  }

  /**
   * How many to have while a roll or a recycling needs room above the floor: nothing old leaves
   * before something new is warm. A pool without room between its bounds gets room for one.
   */
  int wanted() {
    int batch = Math.min(batch(), count(census.idle(), scene::isOldTemplate));
    int need = Math.max(batch, Math.min(1, count(census.idle(), this::isTooOld)));
    if (need == 0 || target.spike()) return target.warm();
    int room = Math.min(floor() + need, Math.max(target.ceiling(), floor() + 1));
    return Math.max(target.warm(), room);
  }

  /** Is it to be replaced rather than counted on? */
  boolean isDueForRenewal(Machine machine) {
    return scene.isOldTemplate(machine) || isTooOld(machine);
  }

  void write() {
    scene.machines().stream().filter(this::isAskedOut).forEach(this::drainForOperator);
    drain(idleLeft() - target.ceiling(), any -> true, this::over);
    if (target.spike()) return;
    drain(idleLeft() - wanted(), this::isSpare, this::spare);
    int batchLeft = batch() - inFlight(scene::isOldTemplate);
    drain(Math.min(batchLeft, idleLeft() - floor()), scene::isOldTemplate, this::old);
    int oneAtATime = 1 - inFlight(this::isTooOld);
    drain(Math.min(oneAtATime, idleLeft() - floor()), this::isTooOld, this::tooOld);
    destroySurplusParked();
  }

  private void drain(int most, Predicate<Machine> which, Function<Machine, Why> why) {
    int left = most;
    for (Machine machine : leaving) {
      if (left <= 0) return;
      if (draft.isMoved(machine.id()) || !which.test(machine)) continue;
      if (draft.offer(new Action.Drain(machine.id(), why.apply(machine)))) left--;
    }
  }

  private int idleLeft() {
    return count(census.idle(), machine -> !draft.isMoved(machine.id()));
  }

  /** Never below warm_min, or what the budget leaves of it. */
  private int floor() {
    return Math.min(scene.desired().bounds().warmMin(), target.ceiling());
  }

  private int batch() {
    return (int) Math.ceil(census.idle().size() * scene.policy().turnover().rollShare());
  }

  /** Those of a kind that left before and are not done yet. */
  private int inFlight(Predicate<Machine> which) {
    return count(
        scene.machines(),
        machine -> machine.state().standing() == Standing.DRAINING && which.test(machine));
  }

  private boolean isAskedOut(Machine machine) {
    Standing standing = machine.state().standing();
    return scene.isOperatorDraining(machine)
        && (standing == Standing.WARM || standing == Standing.PROVING);
  }

  private void drainForOperator(Machine machine) {
    Why why = new Why(Reason.OPERATOR, "an operator asked for it");
    draft.offer(new Action.Drain(machine.id(), why));
  }

  /** Brought up for a peak that is over, and idle for long enough to be sure. */
  private boolean isSpare(Machine machine) {
    return machine.keep() == Keep.MANUAL
        && scene.isPast(machine.state().since(), scene.policy().sizing().idleBeforeDrain());
  }

  /** The age at which all of a batch would go at once is spread by a tenth either way. */
  private boolean isTooOld(Machine machine) {
    long most = scene.policy().turnover().maxIdleAge().toMillis();
    long tenth = most / 10;
    if (!scene.isPast(machine.bootedAt(), Duration.ofMillis(most - tenth))) return false;
    long spread = tenth == 0 ? 0 : Math.floorMod(StableHash.of(machine.id().value()), 2 * tenth);
    return scene.isPast(machine.bootedAt(), Duration.ofMillis(most - tenth + spread));
  }

  private Why over(Machine machine) {
    String limit =
        target.ceiling() < scene.desired().bounds().warmMax() ? "the budget" : "warm_max";
    return new Why(
        Reason.SURPLUS,
        "%d warm, %s allows %d; idle for %s"
            .formatted(census.idle().size(), limit, target.ceiling(), idleFor(machine)));
  }

  private Why spare(Machine machine) {
    boolean quiet = census.counts().assigned() < scene.desired().bounds().warmMin();
    return new Why(
        quiet ? Reason.COST_GUARD : Reason.SURPLUS,
        "brought up for a peak, idle for %s; %d warm are enough"
            .formatted(idleFor(machine), target.warm()));
  }

  private Why old(Machine machine) {
    return new Why(
        Reason.OLD_TEMPLATE,
        "made from template %s, now it is %s; batches of %d"
            .formatted(machine.template(), scene.desired().template().version(), batch()));
  }

  private Why tooOld(Machine machine) {
    return new Why(
        Reason.MAX_IDLE_AGE,
        "booted %s ago, never used".formatted(Span.of(machine.bootedAt(), scene.now())));
  }

  private String idleFor(Machine machine) {
    return Span.of(machine.state().since(), scene.now());
  }

  /** Oldest first; those of an old template are gone already, see {@link Judge}. */
  private void destroySurplusParked() {
    List<Machine> parked =
        scene.machines().stream()
            .filter(machine -> machine.state().standing() == Standing.PARKED)
            .filter(machine -> !draft.isMoved(machine.id()))
            .filter(machine -> !scene.pending().isLeaving(machine.id().value()))
            .sorted(
                Comparator.comparing((Machine machine) -> machine.state().since())
                    .thenComparing(Machine::id))
            .toList();
    int most = scene.desired().bounds().parkedMax();
    if (parked.size() <= most) return;
    Why why =
        new Why(Reason.PARKED_MAX, "%d parked, parked_max is %d".formatted(parked.size(), most));
    parked.stream()
        .limit(parked.size() - most)
        .forEach(machine -> draft.offer(new Action.Destroy(machine.id(), Reserve.CONDEMN, why)));
  }

  private static int count(List<Machine> machines, Predicate<Machine> which) {
    int count = 0;
    for (Machine machine : machines) if (which.test(machine)) count++;
    return count;
  }
}
