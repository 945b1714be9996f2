// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Finding.Kind;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a plan has noticed besides what it does; in the order of {@link Kind}. */
final class Findings {
  private final Scene scene;
  private final List<Finding> found = new ArrayList<>();

  private Findings(Scene scene) {
    this.scene = scene;
  }

  static List<Finding> of(Scene scene, Target target, List<Action> actions) {
    Findings findings = new Findings(scene);
    findings.aboutTheView();
    findings.aboutLimits(target);
    findings.aboutMachines(actions);
    return findings.found;
  }

  private void aboutTheView() {
    Listing listing = scene.seen().listing();
    if (!listing.trusted()) {
      note(
          Kind.LIST_COLLAPSED,
          listing.lost(),
          "the list lost %d of %d known Machines at once: no creation, no destruction"
              .formatted(listing.lost(), listing.known()));
    }
    int alive =
        count(machine ->
            machine.fly().power() == Power.ABSENT
                && machine.fly().missedLists() > 0
                && scene.answeredLately(machine));
    if (alive > 0) {
      note(
          Kind.LIST_DISAGREES,
          alive,
          "%d not in the list, but they answer probes".formatted(alive));
    }
    Brake brake = scene.brake();
    if (brake.on()) {
      note(
          Kind.BRAKE_ON,
          brake.failed(),
          "%d of %d probed Machines fail at once: no destruction"
              .formatted(brake.failed(), brake.probed()));
    }
  }

  private void aboutLimits(Target target) {
    int failures = scene.seen().capacity().failures();
    if (CapacityMemory.isShort(scene.seen().capacity(), scene.policy().trust())) {
      note(Kind.CAPACITY_SHORT, failures, "%d creates in a row failed".formatted(failures));
    }
    int warmMax = scene.desired().bounds().warmMax();
    if (target.ceiling() < warmMax) {
      note(
          Kind.BUDGET_LIMITED,
          warmMax - target.ceiling(),
          "the budget allows %d warm, warm_max is %d".formatted(target.ceiling(), warmMax));
    }
  }

  private void aboutMachines(List<Action> actions) {
    int doubtful = count(machine -> !machine.fly().hostOk());
    if (doubtful > 0)
      note(Kind.HOST_DOUBTFUL, doubtful, "%d on hosts that are not ok".formatted(doubtful));
    int lost = (int) actions.stream().filter(each -> each.kind() == ActionKind.LOSE).count();
    if (lost > 0) note(Kind.SESSION_LOST, lost, "%d sessions lost their Machine".formatted(lost));
    int strays = scene.seen().strays().size();
    if (strays > 0)
      note(Kind.UNKNOWN_MACHINES, strays, "%d with our tag are in no book".formatted(strays));
    int foreign = scene.seen().foreign();
    if (foreign > 0)
      note(Kind.FOREIGN_MACHINES, foreign, "%d are not ours: left alone".formatted(foreign));
  }

  private int count(Predicate<Machine> which) {
    int count = 0;
    for (Machine machine : scene.machines()) if (which.test(machine)) count++;
    return count;
  }

  private void note(Kind kind, int count, String detail) {
    found.add(new Finding(kind, count, detail));
  }
}
