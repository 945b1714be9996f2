// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What became of the session of a Machine that died. */
public sealed interface LoseResult {
  /** The Machine is condemned; the gateway hears of it on its next renew. */
  record Lost() implements LoseResult {}

  /** The Machine is condemned; the session has another one. */
  record Replaced(Grant grant) implements LoseResult {}

  /** The Machine no longer is that session's: nothing was changed. */
  record Moved() implements LoseResult {}
}
