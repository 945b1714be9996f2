// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What one probe round says about a Machine, after the prober has sorted its errors. */
public enum Verdict {
  HEALTHY,
  /** Refused, unreachable, timeout, closed, protocol or TLS error. */
  STRIKE,
  /** It answers, but not as configured: an alert, not a strike. */
  MISCONFIGURED,
  /** The prober's own fault: says nothing about the Machine. */
  PROBER_FAULT
}
