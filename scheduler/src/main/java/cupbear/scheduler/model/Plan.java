// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.List;

/**
 * What one pass decided: same input, same plan, in the same order.
 *
 * @param unmet Machines that are missing and cannot be had here now: demand for the next region
 * @param partial there is more to do than one pass may; come back at once
 */
public record Plan(
    Target target,
    Counts counts,
    List<Action> actions,
    List<Finding> findings,
    int unmet,
    boolean partial) {
  public Plan {
    actions = List.copyOf(actions);
    findings = List.copyOf(findings);
  }
}
