// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that can go wrong. To add one: name it here, say in {@link FaultInjector} how it
 * begins and how it ends.
 */
enum Fault {
  // Fly
  LIST_LAG(true, 3),
  LIST_EMPTY(false, 2),
  LIST_PARTIAL(false, 2),
  LOST_ANSWERS(true, 4),
  LIMITED(true, 2),
  ERRORS(true, 3),
  FLY_DOWN(false, 2),
  FLY_SLOW(true, 2),
  SLOW_BOOTS(true, 2),
  STUCK_BOOTS(false, 2),
  LAUNCH_FAILURES(false, 2),
  EXIT(true, 5),
  HANG(true, 4),
  TAKEN_BY_OTHERS(false, 2),
  STOPPED_BY_OTHERS(false, 2),
  HOST_DOWN(false, 3),
  FOREIGN(true, 1),
  NO_CAPACITY(true, 2),
  HOST_FULL(false, 1),
  EXEC_FAILS(false, 2),
  // probes
  PROBE_FLAPS(true, 3),
  PROBER_FAULTS(true, 2),
  PROBER_BLIND(false, 2),
  // store
  STORE_PAUSE(true, 3),
  STORE_LOSSY(false, 3),
  STORE_SLOW(true, 2),
  STORE_DOWN(false, 2),
  STORE_FAILOVER(false, 3),
  STORE_WIPE(false, 1),
  WORDS_LOST(true, 2),
  // processes
  FREEZE(false, 4),
  KILL(false, 3),
  RESTART(true, 2),
  CLOCK_JUMP(false, 2),
  // people
  STORM(true, 3),
  ROLL(true, 1),
  CORDON(true, 2),
  DRAIN(true, 2),
  CORDON_REGION(false, 1),
  PAUSE_REGION(false, 1),
  HINT(true, 1);

  private final boolean mild;
  private final int weight;

  Fault(boolean mild, int weight) {
    this.mild = mild;
    this.weight = weight;
  }

  /** Those of a level, as often as they weigh. */
  static List<Fault> of(SimSettings.FaultLevel level) {
    List<Fault> urn = new ArrayList<>();
    for (Fault fault : values()) {
      boolean in =
          switch (level) {
            case NONE -> false;
            case MILD -> fault.mild;
            case WILD -> true;
          };
      for (int i = 0; in && i < fault.weight; i++) urn.add(fault);
    }
    return urn;
  }
}
