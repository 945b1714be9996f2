// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/** Every answer a session request can get from the store. */
public sealed interface ClaimResult {
  /**
   * It has a Machine.
   *
   * @param replayed the same key was answered before, with this very session
   */
  record Granted(Grant grant, boolean replayed) implements ClaimResult {}

  /**
   * None is warm in any of its regions; it stands in the queue.
   *
   * @param waiter the place to ask for: another session than the proposed one when the same key
   *     waits already
   */
  record Queued(Waiter waiter, int ahead) implements ClaimResult {}

  /** None is warm and it would not wait. */
  record NoneWarm() implements ClaimResult {}

  record QueueFull(int waiting) implements ClaimResult {}

  /** The same key was used with another body. */
  record KeyReused() implements ClaimResult {}

  /** The same key was answered with a session that is over. */
  record KeySpent(SessionId session) implements ClaimResult {}

  /** The store lost data and is being rebuilt: nothing is granted meanwhile. */
  record Recovering(Duration retryAfter) implements ClaimResult {}
}
