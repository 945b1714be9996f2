// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether Fly's list may be believed. Fly has answered empty lists for full apps; whoever believed
 * them created whole fleets twice. After a collapse the list is trusted again once some lists in a
 * row agree and a look at single Machines confirms them.
 *
 * <p>An immutable value of its regional pool's loop. A new leader starts from what the store knows.
 *
 * @param known what was there before the newest step
 * @param listed the newest list
 * @param agreeing how many lists in a row, the newest included, tell the same
 */
public record ListTrust(
    Set<MachineId> known, Set<MachineId> listed, boolean trusted, int agreeing) {
  /** Two lists some seconds apart may differ by a little and still tell the same. */
  private static final double DIFFERENCE_FINE = 0.1;

  private static final int SAMPLE = 3;

  public ListTrust {
    known = Set.copyOf(known);
    listed = Set.copyOf(listed);
  }

  /** Before the first list: the store's Machines are what we know. */
  public static ListTrust startingFrom(Set<MachineId> known) {
    return new ListTrust(known, known, true, 0);
  }

  /**
   * A list arrived.
   *
   * @param ended Machines that we destroyed ourselves, or that the list shows as destroyed
   */
  public ListTrust seen(Set<MachineId> list, Set<MachineId> ended, Policy.Trust limits) {
    Set<MachineId> before = trusted ? without(listed, ended) : without(known, ended);
    if (trusted) return new ListTrust(before, list, !collapsed(before, list, limits), 1);
    int agreed = agree(without(listed, ended), list, limits) ? agreeing + 1 : 1;
    return new ListTrust(before, list, false, agreed);
  }

  /** The Machines to ask Fly about one by one; empty unless that would help now. */
  public List<MachineId> sample(Policy.Trust limits) {
    if (trusted || agreeing < limits.agreeingLists()) return List.of();
    Set<MachineId> missing = without(known, listed);
    Set<MachineId> from = missing.isEmpty() ? listed : missing;
    return from.stream().sorted().limit(SAMPLE).toList();
  }

  /**
   * The answers are there.
   *
   * @param confirmed each of them says what the list says
   */
  public ListTrust sampled(boolean confirmed, Policy.Trust limits) {
    if (trusted || agreeing < limits.agreeingLists()) return this;
    return confirmed
        ? new ListTrust(listed, listed, true, agreeing)
        : new ListTrust(known, listed, false, 0);
  }

  public int lost() {
    return lacking(known, listed);
  }

  private static boolean collapsed(
      Set<MachineId> before, Set<MachineId> list, Policy.Trust limits) {
    if (before.isEmpty()) return false;
    if (list.isEmpty()) return true;
    int lost = lacking(before, list);
    return lost > limits.collapseMoreThan() && lost > before.size() * limits.collapseShare();
  }

  private static boolean agree(Set<MachineId> one, Set<MachineId> other, Policy.Trust limits) {
    int apart = lacking(one, other) + lacking(other, one);
    int larger = Math.max(one.size(), other.size());
    return apart <= Math.min(limits.collapseMoreThan(), larger / 2)
        || apart <= larger * DIFFERENCE_FINE;
  }

  /** How many of the first are not among the second. */
  private static int lacking(Set<MachineId> of, Set<MachineId> in) {
    int count = 0;
    for (MachineId each : of) if (!in.contains(each)) count++;
    return count;
  }

  private static Set<MachineId> without(Set<MachineId> from, Set<MachineId> taken) {
    if (taken.isEmpty()) return from;
    Set<MachineId> rest = new HashSet<>(from);
    taken.forEach(rest::remove);
    return rest;
  }
}
