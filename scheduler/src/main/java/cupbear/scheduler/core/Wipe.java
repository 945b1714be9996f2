// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Standing;
import java.time.Instant;

/**
 * Whether a stop, which wipes the root file system, has really happened since a Machine was taken
 * out of service. A lagging list may still show the stop before its last session.
 */
final class Wipe {
  private Wipe() {}

  static boolean isAwaited(Standing standing) {
    return standing == Standing.DRAINING || standing == Standing.PARKED;
  }

  static boolean isDone(Machine machine) {
    if (machine.fly().power() != Power.STOPPED) return machine.fly().power() == Power.DESTROYED;
    Instant stoppedAt = machine.fly().since();
    boolean parked = machine.state().standing() == Standing.PARKED;
    return parked || stoppedAt == null || !stoppedAt.isBefore(machine.state().since());
  }
}
