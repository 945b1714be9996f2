// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One regional pool as the store has it.
 *
 * @param at the store's time
 * @param arrivals session requests ever made that named this region first
 * @param waiting requests in the queue that could be served from here
 * @param waits what the newest grants here had to wait, oldest first
 */
public record Snapshot(
    Instant at,
    List<Booked> machines,
    long arrivals,
    int waiting,
    List<Waited> waits,
    Marks marks) {
  /** One grant's time in the queue. */
  public record Waited(Instant at, Duration time) {}

  public Snapshot {
    machines = List.copyOf(machines);
    waits = List.copyOf(waits);
  }
}
