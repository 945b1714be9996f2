// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What the store has to agree to, atomically, before anything is done to a Machine at Fly. */
public enum Reserve {
  NONE,
  /** Still warm? Then draining, so that nobody can claim it meanwhile. */
  RETIRE,
  /** Still free? Then condemned. */
  CONDEMN,
  /** Still held by this very session and epoch? Then condemned, and the session is told. */
  LOSE
}
