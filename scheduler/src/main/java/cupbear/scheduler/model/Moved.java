// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import org.jspecify.annotations.Nullable;

/** What became of a {@link Move}. */
public sealed interface Moved {
  record Done(Standing from, Standing to) implements Moved {}

  /**
   * It does not stand where the move starts from; nothing was changed.
   *
   * @param standing null when the store does not know the Machine
   */
  record Refused(@Nullable Standing standing) implements Moved {}
}
