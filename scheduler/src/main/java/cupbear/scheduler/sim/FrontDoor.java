// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a gateway can ask of one scheduler: the HTTP API without HTTP. */
interface FrontDoor {
  /** Asks for a session; the answer comes exactly once. Gives back how to hang up. */
  Runnable assign(Ask ask, Consumer<Reply> answer);

  void confirm(Caller caller, SessionId session, Consumer<Reply> answer);

  void renew(Caller caller, SessionId session, Epoch epoch, Grant receipt, Consumer<Reply> answer);

  void release(Caller caller, SessionId session, Consumer<Reply> answer);

  /** Gives the session up and its Machine the blame; on request, for another one. */
  void fail(Caller caller, SessionId session, Epoch epoch, boolean replace, Consumer<Reply> answer);

  /** A session request as it comes in. */
  record Ask(
      Caller caller,
      String tenant,
      String key,
      String body,
      List<Region> regions,
      Duration patience) {}

  /** What comes back. */
  sealed interface Reply {
    record Granted(Grant grant, boolean replayed) implements Reply {}

    /** About a session that there was. */
    record Told(SessionResult result) implements Reply {}

    /** The session is over, and this is the answer to the wish for another Machine. */
    record Replaced(SessionResult result, Reply instead) implements Reply {}

    /**
     * No.
     *
     * @param again asking again with the same key makes sense
     */
    record No(String why, boolean again, @Nullable Duration after) implements Reply {}
  }
}
