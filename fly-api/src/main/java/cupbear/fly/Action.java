// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static cupbear.fly.Action.Repeat.IDEMPOTENT;
import static cupbear.fly.Action.Repeat.LOOK_FIRST;
import static cupbear.fly.Action.Repeat.ONCE;
import static cupbear.fly.Action.Repeat.READ;
import static cupbear.fly.Urgency.ROUTINE;
import static cupbear.fly.Urgency.URGENT;

import java.util.Locale;

/**
 * Everything this client can ask of Fly: a closed set, so that it can label metrics. Each knows
 * what a lost answer means and whether it goes first.
 */
public enum Action {
  LIST_APPS(READ),
  GET_APP(READ),
  CREATE_APP(LOOK_FIRST),
  LIST_IPS(READ),
  LIST_VOLUMES(READ),
  LIST_MACHINES(READ),
  LIST_ORG_MACHINES(READ),
  CREATE_MACHINE(LOOK_FIRST),
  GET_MACHINE(READ),
  UPDATE_MACHINE(LOOK_FIRST),
  DELETE_MACHINE(IDEMPOTENT, URGENT),
  START(LOOK_FIRST),
  STOP(LOOK_FIRST, URGENT),
  SUSPEND(LOOK_FIRST),
  RESTART(ONCE),
  SIGNAL(ONCE),
  EXEC(ONCE),
  WAIT(READ),
  CORDON(IDEMPOTENT),
  UNCORDON(IDEMPOTENT),
  GET_LEASE(READ),
  ACQUIRE_LEASE(LOOK_FIRST),
  REFRESH_LEASE(IDEMPOTENT, URGENT),
  RELEASE_LEASE(IDEMPOTENT, URGENT),
  GET_METADATA(READ),
  PATCH_METADATA(IDEMPOTENT),
  PUT_METADATA(IDEMPOTENT),
  GET_METADATA_KEY(READ),
  SET_METADATA_KEY(IDEMPOTENT),
  DELETE_METADATA_KEY(IDEMPOTENT),
  LIST_EVENTS(READ),
  LIST_VERSIONS(READ),
  LIST_REGIONS(READ),
  ASK_PLACEMENTS(READ),
  CURRENT_TOKEN(READ);

  /** What may be done when a request was perhaps carried out and its answer is lost. */
  public enum Repeat {
    /** Changes nothing: ask again. */
    READ,
    /** Twice is the same as once: ask again. */
    IDEMPOTENT,
    /** Look whether it was carried out, ask again only if not. */
    LOOK_FIRST,
    /** Nobody can tell: leave it to the caller. */
    ONCE
  }

  private final Repeat repeat;
  private final Urgency urgency;

  Action(Repeat repeat) {
    this(repeat, ROUTINE);
  }

  Action(Repeat repeat, Urgency urgency) {
    this.repeat = repeat;
    this.urgency = urgency;
  }

  public Repeat repeat() {
    return repeat;
  }

  /** Unless the caller says otherwise. */
  public Urgency urgency() {
    return urgency;
  }

  /** True when a lost answer leaves something in doubt at Fly. */
  public boolean changes() {
    return repeat != READ;
  }

  /** True for the long poll, which would fill the in-flight budget by merely waiting. */
  public boolean isLongPoll() {
    return this == WAIT;
  }

  /** For metric labels and sentences. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
