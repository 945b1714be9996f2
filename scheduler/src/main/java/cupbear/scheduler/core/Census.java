// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Stray;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who counts as what. Whatever is unclear counts as present: nothing is made on ignorance.
 *
 * @param idle the warm ones: free, proven, assignable
 * @param comingUp those that are expected to turn warm
 */
record Census(Counts counts, List<Machine> idle, List<Machine> comingUp) {
  /** What a Machine counts as. */
  private enum Role {
    WARM,
    COMING_UP,
    EXPECTED,
    ASSIGNED,
    DRAINING,
    PARKED,
    CONDEMNED,
    /** Kept from serving by an operator: neither there nor missing. */
    ASIDE
  }

  static Census of(Scene scene, Judge judge) {
    Map<Role, List<Machine>> by = new EnumMap<>(Role.class);
    for (Machine machine : scene.machines()) {
      by.computeIfAbsent(role(machine, scene, judge), any -> new ArrayList<>()).add(machine);
    }
    return of(by, unlisted(scene));
  }

  private static Census of(Map<Role, List<Machine>> by, int unlisted) {
    Counts counts =
        new Counts(
            size(by, Role.WARM),
            size(by, Role.COMING_UP),
            size(by, Role.EXPECTED) + unlisted,
            size(by, Role.ASSIGNED),
            size(by, Role.DRAINING),
            size(by, Role.PARKED),
            size(by, Role.CONDEMNED));
    return new Census(
        counts, by.getOrDefault(Role.WARM, List.of()), by.getOrDefault(Role.COMING_UP, List.of()));
  }

  private static int size(Map<Role, List<Machine>> by, Role role) {
    return by.getOrDefault(role, List.of()).size();
  }

  private static Role role(Machine machine, Scene scene, Judge judge) {
    if (judge.whyGiveUp(machine).isPresent()) return Role.CONDEMNED;
    String id = machine.id().value();
    return switch (machine.state().standing()) {
      case PROVISIONING, PROVING -> comingUp(machine, scene);
      case WARM -> warm(machine, scene, judge);
      case ASSIGNED, UNKNOWN -> Role.ASSIGNED;
      case DRAINING -> Role.DRAINING;
      case PARKED ->
          scene.pending().isUnderWay(ActionKind.START, id) ? Role.COMING_UP : Role.PARKED;
      case CONDEMNED -> Role.CONDEMNED;
    };
  }

  private static Role comingUp(Machine machine, Scene scene) {
    if (scene.pending().isLeaving(machine.id().value())) return Role.DRAINING;
    boolean aside = scene.isCordoned(machine) || scene.isOperatorDraining(machine);
    return aside ? Role.ASIDE : Role.COMING_UP;
  }

  private static Role warm(Machine machine, Scene scene, Judge judge) {
    if (scene.pending().isLeaving(machine.id().value())) return Role.DRAINING;
    if (scene.isCordoned(machine) || scene.isOperatorDraining(machine)) return Role.ASIDE;
    if (judge.isMissing(machine)) return Role.EXPECTED;
    return judge.whyDoubt(machine).isPresent() ? Role.COMING_UP : Role.WARM;
  }

  /** Our own creates that nobody shows yet, and Machines with our tag that no book knows. */
  private static int unlisted(Scene scene) {
    List<String> creates = scene.pending().creates();
    if (creates.isEmpty() && scene.seen().strays().isEmpty()) return 0;
    Set<String> names = new HashSet<>(creates);
    scene.seen().strays().stream().map(Stray::name).forEach(names::add);
    scene.machines().stream().map(Machine::name).forEach(names::remove);
    return names.size();
  }
}
