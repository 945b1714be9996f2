// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Expected;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The open expectations of one pass, by what they are about. */
record Pending(Map<String, List<Expected>> byName) {
  static Pending of(List<Expected> expected, Instant now) {
    Map<String, List<Expected>> byName = new LinkedHashMap<>();
    for (Expected each : expected) {
      if (!each.until().isAfter(now)) continue;
      byName.computeIfAbsent(each.on(), any -> new ArrayList<>()).add(each);
    }
    return new Pending(byName);
  }

  /** Would this action repeat one under way or just refused, or cross another one? */
  boolean bars(Action action) {
    for (Expected each : on(action.on())) {
      if (each.kind() == action.kind()) return true;
      boolean underWay = !each.heldOff() && each.kind().movesTheMachine();
      if (underWay && action.kind().movesTheMachine()) return true;
    }
    return false;
  }

  boolean isUnderWay(ActionKind kind, String on) {
    for (Expected each : on(on)) if (each.kind() == kind && !each.heldOff()) return true;
    return false;
  }

  /** Is it being taken out of service already? */
  boolean isLeaving(String on) {
    return isUnderWay(ActionKind.DRAIN, on)
        || isUnderWay(ActionKind.DESTROY, on)
        || isUnderWay(ActionKind.LOSE, on);
  }

  List<String> creates() {
    List<String> found = new ArrayList<>();
    for (String on : byName.keySet()) if (isUnderWay(ActionKind.CREATE, on)) found.add(on);
    return found;
  }

  private List<Expected> on(String on) {
    return byName.getOrDefault(on, List.of());
  }
}
