// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.BootTimes;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** How long boots took here, each counted once. */
final class BootBook {
  private final Map<MachineId, Instant> counted = new HashMap<>();
  private BootTimes times;

  BootBook(BootTimes times) {
    this.times = times;
  }

  BootTimes times() {
    return times;
  }

  BootFigures figures(TemplateVersion template) {
    return times.figures(template);
  }

  /** It is proven. One that was doubted in between is no slower for that. */
  void proven(Booked machine, Instant now) {
    boolean again = machine.bootedAt().equals(counted.put(machine.id(), machine.bootedAt()));
    if (again || machine.proof() != null) return;
    times = times.with(machine.template(), Duration.between(machine.bootedAt(), now));
  }

  /** It missed its deadline; without these the figures would only know the lucky ones. */
  void late(Booked machine, Policy.Probing probing) {
    Duration deadline = BootTimes.deadline(figures(machine.template()), probing);
    times = times.with(machine.template(), deadline);
  }

  void keepOnly(Set<MachineId> machines) {
    counted.keySet().retainAll(machines);
  }
}
