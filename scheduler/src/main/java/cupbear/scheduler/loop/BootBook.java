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
import org.jspecify.annotations.Nullable;

/** How long boots took here, each counted once. */
final class BootBook {
  private final Map<MachineId, Instant> counted = new HashMap<>();
  private BootTimes times;
  private @Nullable TemplateVersion figuresOf;
  private BootFigures figures = BootFigures.NONE;

  BootBook(BootTimes times) {
    this.times = times;
  }

  BootTimes times() {
    return times;
  }

  /** Asked for with every pass, and sorted only when something was noted. */
  BootFigures figures(TemplateVersion template) {
    if (!template.equals(figuresOf)) {
      figures = times.figures(template);
      figuresOf = template;
    }
    return figures;
  }

  private void note(TemplateVersion template, Duration took) {
    times = times.with(template, took);
    figuresOf = null;
  }

  /** It is proven. One that was doubted in between is no slower for that. */
  void proven(Booked machine, Instant now) {
    boolean again = machine.bootedAt().equals(counted.put(machine.id(), machine.bootedAt()));
    if (again || machine.proof() != null) return;
    note(machine.template(), Duration.between(machine.bootedAt(), now));
  }

  /** It missed its deadline; without these the figures would only know the lucky ones. */
  void late(Booked machine, Policy.Probing probing) {
    Duration deadline = BootTimes.deadline(figures(machine.template()), probing);
    note(machine.template(), deadline);
  }

  void keepOnly(Set<MachineId> machines) {
    counted.keySet().retainAll(machines);
  }
}
