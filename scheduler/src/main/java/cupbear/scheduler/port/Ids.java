// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;

/** Names and chance; a simulation has its own. */
public interface Ids {
  /**
   * A new session, not guessable. The pool is part of it, so that whoever holds the id finds the
   * session without a second look-up.
   */
  SessionId session(PoolName pool);

  /** A new mark, unique among calls. */
  String mark();

  /** A number in [0, 1). */
  double luck();
}
