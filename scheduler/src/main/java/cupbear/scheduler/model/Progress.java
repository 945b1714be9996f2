// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What Fly reported of a Machine that no session can hold meanwhile. */
public enum Progress {
  /** Fly says started. */
  BOOTED,
  /** Fly says stopped: the root file system is wiped. */
  STOPPED,
  /** Fly says destroyed or not found: forgotten. */
  GONE
}
