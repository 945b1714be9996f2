// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import io.vertx.core.Future;

/** A session request under way. */
public interface Waiting {
  /** Never fails: every ending is an {@link Answer}. */
  Future<Answer> answer();

  /** The caller hung up: its place is freed, and what was granted meanwhile goes back. */
  void cancel();
}
