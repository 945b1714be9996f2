// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Policy;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Meters;

/**
 * A world with something replaced: how tests prove that the promises are watched, by breaking one
 * on purpose. The product itself has no such switch.
 */
interface Variant {
  Variant NONE = new Variant() {};

  /** The store as the schedulers find it, before any wire. */
  default StorePorts store(StorePorts real, SimFly fly, String replica) {
    return real;
  }

  /** The thresholds that the schedulers go by. */
  default Policy policy(Policy real) {
    return real;
  }

  /** Fly as the schedulers find it, behind its wire. */
  default Machines machines(Machines real) {
    return real;
  }

  /** Who listens to what the schedulers tell. */
  default Meters meters(Meters real) {
    return real;
  }

  /** Whether anybody ever asks for a session. */
  default boolean isVisited() {
    return true;
  }
}
