// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

/** Everything that can be asked of the API. */
public enum Permission {
  SESSION_CREATE,
  SESSION_GET,
  SESSION_CONNECTED,
  SESSION_LEASE,
  SESSION_FAIL,
  SESSION_DELETE,
  POOLS_READ,
  PLAN_READ,
  MACHINES_READ,
  /** Beyond the Machine itself, where it can be reached. */
  ADDRESSES_READ,
  EVENTS_READ,
  AUDIT_READ,
  SIGNALS_POST,
  DRAIN,
  CORDON,
  UNCORDON,
  PAUSE,
  RESUME,
  RELOAD,
  /** The API's own pages; no token needed. */
  DOCS
}
