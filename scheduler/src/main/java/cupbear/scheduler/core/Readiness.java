// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState.Proving;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Power;

/** Whether a proving Machine may turn warm now: asked after each probe, between two passes. */
public final class Readiness {
  private Readiness() {}

  public static boolean mayTurnWarm(Machine machine, Desired desired, Policy.Probing probing) {
    return machine.state() instanceof Proving proving
        && (proving.staged() || !desired.credentials())
        && Strikes.isProven(machine.health(), probing)
        && machine.fly().hostOk()
        && !machine.fly().power().isDown()
        && machine.fly().power() != Power.ABSENT
        && !desired.drain().contains(machine.id());
  }
}
