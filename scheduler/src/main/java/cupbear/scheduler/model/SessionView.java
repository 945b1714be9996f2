// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One session as the store has it.
 *
 * @param grant its newest Machine; null while it waits for its first
 * @param leaseUntil it is over unless renewed (or first confirmed) before this; null while waiting
 * @param confirmedAt when the gateway first said that it is connected; null before
 * @param lostAt when its Machine died; null while it has one
 */
public record SessionView(
    SessionId session,
    Caller caller,
    String tenant,
    Stage stage,
    @Nullable Grant grant,
    @Nullable Instant leaseUntil,
    @Nullable Instant confirmedAt,
    @Nullable Instant lostAt,
    @Nullable Ended ended) {

  /** How far a session has come. */
  public enum Stage {
    WAITING,
    /** It has a Machine; nobody has connected yet. */
    GRANTED,
    CONNECTED,
    /** Its Machine died; the gateway has yet to hear so, or waits for another one. */
    LOST,
    ENDED
  }

  /** Why a session ended. */
  public enum Ended {
    RELEASED,
    NOT_CONFIRMED,
    LEASE_EXPIRED,
    MAX_DURATION,
    FAILED,
    MACHINE_LOST,
    WITHDRAWN
  }
}
