// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.BootTimes;
import cupbear.scheduler.model.Booked;
import java.time.Instant;
import java.util.List;

/**
 * What a loop leaves to the next loop of the same regional pool in the same process: a store that
 * was away for longer than a lease must not cost us what we know about its Machines.
 *
 * @param at when the newest snapshot was taken
 */
public record Memory(Instant at, List<Booked> machines, BootTimes boots) {
  public static final Memory NONE = new Memory(Instant.EPOCH, List.of(), BootTimes.NONE);

  public Memory {
    machines = List.copyOf(machines);
  }
}
