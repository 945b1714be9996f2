// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that one plan looks at, with what follows from it at once. */
record Scene(
    Observed seen,
    Desired desired,
    Policy policy,
    Instant now,
    Brake brake,
    Pending pending,
    List<Machine> machines) {

  static Scene of(Observed seen, Desired desired, Policy policy, Instant now) {
    // By id, so that the same Machines in another order give the same plan.
    List<Machine> machines = new ArrayList<>(seen.machines());
    machines.sort(Comparator.comparing(Machine::id));
    Brake brake = Brake.of(machines, policy.probing(), now);
    return new Scene(seen, desired, policy, now, brake, Pending.of(seen.expected(), now), machines);
  }

  boolean isListTrusted() {
    return seen.listing().trusted();
  }

  boolean mayDestroy() {
    return isListTrusted() && !brake.on();
  }

  boolean isOldTemplate(Machine machine) {
    return !machine.template().equals(desired.template().version());
  }

  boolean isCordoned(Machine machine) {
    return desired.cordoned().contains(machine.id());
  }

  boolean isOperatorDraining(Machine machine) {
    return desired.drain().contains(machine.id());
  }

  /** Has this much time passed since then? */
  boolean isPast(Instant since, Duration length) {
    return !now.isBefore(since.plus(length));
  }

  /** A fresh healthy answer outweighs a list, because lists lag. */
  boolean answeredLately(Machine machine) {
    return machine.health().provenAfter(now.minus(policy.probing().trust()));
  }
}
