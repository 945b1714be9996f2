// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a Machine that proved healthy. */
public sealed interface ProveResult {
  /** On the shelf. */
  record Warm() implements ProveResult {}

  /** The first waiter has it, in the same step. */
  record Granted(Grant grant) implements ProveResult {}

  /** After lost data a dead replica may have given it away: not before then. */
  record Held(Instant until) implements ProveResult {}

  /**
   * Not proving, or in another boot than the evidence. A cordoned Machine does turn warm, off the
   * shelf; whether credentials have to be staged first is for whoever asks to know.
   */
  record Refused(@Nullable Standing standing, String why) implements ProveResult {}
}
