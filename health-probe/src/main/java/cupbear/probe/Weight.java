// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/** What a probe's result means for the Machine that was probed. */
public enum Weight {
  /** It answered as a working server does. */
  HEALTHY,
  /** The Machine failed and showed it: counts towards its end. */
  STRIKE,
  /** Alive, but not as configured: tell a person, destroy nothing. */
  ALERT,
  /** Says something about the prober, nothing about the Machine. Never counts. */
  NEVER
}
