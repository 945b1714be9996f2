// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** How it stands with a place in the queue. */
public sealed interface WaitResult {
  record StillWaiting(int ahead) implements WaitResult {}

  record Granted(Grant grant) implements WaitResult {}

  /** Its place is free again, and it has no Machine. */
  record Left() implements WaitResult {}

  /** It had just been given a Machine, which is warm again: nothing was delivered. */
  record TakenBack(MachineId machine) implements WaitResult {}

  /** A newer call with the same key stands there now; this one has nothing to give back. */
  record Superseded() implements WaitResult {}

  /** The store does not know it: it lost data, or the session is over. Ask again with the key. */
  record Unheard() implements WaitResult {}

  /** Why a waiter leaves. */
  enum Leaving {
    /** Nobody is there to hear the answer: a grant made in this instant goes back. */
    HUNG_UP,
    /** Its time is over: a grant made in this instant is still welcome. */
    DEADLINE
  }
}
