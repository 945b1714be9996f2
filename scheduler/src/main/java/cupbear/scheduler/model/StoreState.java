// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * Whether the store can be believed. A generation is made at a pool's first start and names the
 * server it was made on; a store without one, or on another server, has lost writes.
 */
public sealed interface StoreState {
  long generation();

  record Ready(long generation) implements StoreState {}

  /**
   * Nothing is granted until the replicas have said what they remember, and nothing of a region is
   * booked or proven until its leader has: whoever sees this says what it has to say. Seen until
   * the leaders of all regions that have one have reported; one elected later brings it back.
   *
   * @param since when the loss was noticed
   * @param heldUntil when the sessions of a dead replica have renewed, or were never delivered
   */
  record Recovering(long generation, Instant since, Instant heldUntil) implements StoreState {}
}
