// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Action.OnMachine;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.MachineId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A plan being written. Whatever the rules wish for, nothing gets past it that a doubtful view, the
 * brake or an action under way forbids. Lives within one plan.
 */
final class Draft {
  private final Scene scene;
  private final List<Action> actions = new ArrayList<>();
  private final Set<MachineId> moved = new HashSet<>();

  Draft(Scene scene) {
    this.scene = scene;
  }

  /** Takes the action unless something forbids it; says whether it did. */
  boolean offer(Action action) {
    if (isForbidden(action.kind()) || scene.pending().bars(action)) return false;
    if (action instanceof OnMachine on && action.kind().movesTheMachine()) {
      if (!moved.add(on.machine())) return false;
    }
    return actions.add(action);
  }

  boolean isMoved(MachineId machine) {
    return moved.contains(machine);
  }

  int count(ActionKind kind) {
    return (int) actions.stream().filter(action -> action.kind() == kind).count();
  }

  /** What helps sessions first, what takes away after; within a kind in the order of the rules. */
  List<Action> inOrder() {
    return actions.stream().sorted(Comparator.comparing(Action::kind)).toList();
  }

  private boolean isForbidden(ActionKind kind) {
    return switch (kind) {
      case CREATE, ADOPT, LOSE -> !scene.isListTrusted();
      case DRAIN, DESTROY -> !scene.mayDestroy();
      case DOUBT, BOOK, STAGE, START, TEARDOWN, STOP, RETAG -> false;
    };
  }
}
