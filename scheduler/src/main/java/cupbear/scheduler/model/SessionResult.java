// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What a call about a session gets. */
public sealed interface SessionResult {
  /**
   * It lives, and this is how. A grant with a higher epoch than the caller's is another Machine.
   */
  record Alive(SessionView session) implements SessionResult {}

  /** Its Machine died. Under "replace" the session goes on as soon as another one is there. */
  record Lost(SessionView session) implements SessionResult {}

  record Over(SessionView.Ended why) implements SessionResult {}

  /** The caller speaks of an older epoch than the session has. */
  record Stale(Epoch current) implements SessionResult {}

  /** Unknown, or somebody else's: no difference is shown. */
  record NotFound() implements SessionResult {}
}
