// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.model.Target;
import cupbear.scheduler.model.Why;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What comes up when there is too little: parked Machines first, then new ones. */
final class Refill {
  private final Scene scene;
  private final Counts counts;
  private final Target target;
  private final Draft draft;
  private final int wanted;

  /** Machines that the floor can count on: there, coming up, or brought up by this plan. */
  private int steady;

  Refill(Scene scene, Census census, Target target, Turnover turnover, Draft draft) {
    this.scene = scene;
    this.counts = census.counts();
    this.target = target;
    this.draft = draft;
    this.wanted = turnover.wanted();
    this.steady = counts.expected() + keptAlways(census, turnover);
  }

  /** Writes the starts and creates; gives back how many Machines cannot be had here now. */
  int write() {
    int missing = wanted - counts.present();
    for (Machine machine : missing > 0 ? startable() : List.<Machine>of()) {
      if (missing <= 0) break;
      if (draft.offer(new Action.Start(machine.id(), keep(), why()))) {
        missing--;
        steady++;
      }
    }
    int creatable = Math.min(missing, createsAllowed());
    Set<String> taken = creatable > 0 ? namesTaken() : Set.of();
    for (int slot = 1; creatable > 0; slot++) {
      String name = name(slot);
      if (!taken.add(name)) continue;
      Action create = new Action.Create(name, scene.desired().template().version(), keep(), why());
      if (!draft.offer(create)) break;
      creatable--;
      missing--;
      steady++;
    }
    // While the list is in doubt nobody knows what is missing, so nothing is asked of others.
    return scene.isListTrusted() ? Math.max(0, missing) : 0;
  }

  /** The one stopped last comes first: its host was seen alive most recently. */
  private List<Machine> startable() {
    return scene.machines().stream()
        .filter(machine -> machine.state().standing() == Standing.PARKED)
        .filter(machine -> machine.fly().power() == Power.STOPPED && machine.fly().hostOk())
        .filter(machine -> !scene.isOldTemplate(machine))
        .filter(machine -> !scene.isCordoned(machine) && !scene.isOperatorDraining(machine))
        .sorted(
            Comparator.comparing((Machine machine) -> machine.state().since())
                .reversed()
                .thenComparing(Machine::id))
        .toList();
  }

  /** A region that refused again and again is asked for one at a time, and not before its time. */
  private int createsAllowed() {
    Capacity capacity = scene.seen().capacity();
    Instant retryAt = capacity.retryAt();
    if (retryAt != null && retryAt.isAfter(scene.now())) return 0;
    if (!CapacityMemory.isShort(capacity, scene.policy().trust())) return Integer.MAX_VALUE;
    return scene.pending().creates().isEmpty() ? 1 : 0;
  }

  /** What the floor needs stays; what a peak brings up above it is parked when the peak is over. */
  private Keep keep() {
    return steady < scene.desired().bounds().warmMin() ? Keep.ALWAYS : Keep.MANUAL;
  }

  private static int keptAlways(Census census, Turnover turnover) {
    int count = 0;
    for (List<Machine> some : List.of(census.idle(), census.comingUp())) {
      for (Machine machine : some) {
        if (machine.keep() == Keep.ALWAYS && !turnover.isDueForRenewal(machine)) count++;
      }
    }
    return count;
  }

  private Why why() {
    if (target.spike()) return new Why(Reason.SPIKE, target.why());
    if (counts.present() >= target.warm()) {
      return new Why(
          Reason.ROLLING, "room for the next batch to leave: %d wanted".formatted(wanted));
    }
    String there =
        "%d warm, %d coming up, %d expected; %d wanted"
            .formatted(counts.warm(), counts.comingUp(), counts.expected(), wanted);
    return new Why(Reason.UNDER_TARGET, there);
  }

  /** The first free number: a second leader makes the same name, and Fly refuses the second one. */
  private String name(int slot) {
    String version = scene.desired().template().version().value().toLowerCase(Locale.ROOT);
    return "%s-%s-%s-%03d"
        .formatted(
            scene.seen().pool(), scene.seen().region(), version.replaceAll("[^a-z0-9]", "-"), slot);
  }

  private Set<String> namesTaken() {
    Set<String> taken = new HashSet<>(scene.pending().byName().keySet());
    scene.machines().stream().map(Machine::name).forEach(taken::add);
    scene.seen().strays().stream().map(Stray::name).forEach(taken::add);
    return taken;
  }
}
