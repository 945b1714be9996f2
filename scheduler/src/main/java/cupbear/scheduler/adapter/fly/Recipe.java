// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Guest;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.Restart;
import cupbear.fly.model.Stop;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Template;
import java.time.Duration;

/**
 * How one of our Machines is made. It has no services, addresses, schedule, volumes or checks: it
 * is reached over 6PN alone, kept up by its restart policy and us, and a stop wipes it whole.
 */
final class Recipe {
  static final String MANAGED_BY = "managed_by";

  private Recipe() {}

  /**
   * @param managedBy put on it whatever the order's tags say: a Machine without it would be
   *     nobody's
   * @param stopTimeout how long it may take to end before Fly kills it
   */
  static CreateMachine of(Order order, String managedBy, Duration stopTimeout) {
    Template template = order.template();
    Template.Guest guest = template.guest();
    MachineConfig.Draft draft =
        MachineConfig.of(template.image())
            .guest(new Guest(guest.cpuKind(), guest.cpus(), guest.memoryMb()))
            .restart(restart(order.keep()))
            .stop(Stop.sigterm(stopTimeout))
            .autoDestroy(false);
    template.env().forEach(draft::env);
    order.tags().forEach(draft::metadata);
    draft.metadata(MANAGED_BY, managedBy);
    return CreateMachine.of(order.name(), order.region().code(), draft.build());
  }

  private static Restart restart(Keep keep) {
    return switch (keep) {
      case ALWAYS -> Restart.ALWAYS;
      case MANUAL -> Restart.NO;
    };
  }
}
