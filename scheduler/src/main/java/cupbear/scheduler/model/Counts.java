// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/**
 * A regional pool in figures, as the plan counted it: after what it condemns, before what it makes.
 *
 * @param warm free, proven, assignable
 * @param comingUp provisioning, proving, or being started
 * @param expected our own creates and unknown Machines: not counted on, but not made twice either
 */
public record Counts(
    int warm, int comingUp, int expected, int assigned, int draining, int parked, int condemned) {
  public int present() {
    return warm + comingUp + expected;
  }
}
