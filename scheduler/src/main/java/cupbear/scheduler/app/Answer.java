// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import java.time.Duration;
import java.util.List;

/** Every answer a session request can get. */
public sealed interface Answer {
  /** The word used in metrics. */
  default String outcome() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * A proven Machine.
   *
   * @param replayed the same key was answered before, with this very session
   * @param queueTime from the request to this answer
   */
  record Assigned(Grant grant, boolean replayed, Duration queueTime) implements Answer {}

  /** None turned warm in time. */
  record NoCapacity(Duration retryAfter, List<Region> tried) implements Answer {
    public NoCapacity {
      tried = List.copyOf(tried);
    }
  }

  record QueueFull(Duration retryAfter) implements Answer {}

  /** The same key was used with another body. */
  record KeyReused() implements Answer {}

  /** The same key was answered with a session that is over. */
  record KeySpent(SessionId session) implements Answer {}

  /** The store lost data and is being rebuilt. */
  record Recovering(Duration retryAfter) implements Answer {}

  record StoreDown(Duration retryAfter) implements Answer {}

  record BadRequest(String field, String why) implements Answer {}

  /** The caller is gone: nobody reads this, and nothing is held for it. */
  record HungUp() implements Answer {}
}
