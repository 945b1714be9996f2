// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Set;

/**
 * What operators asked for, kept in the store so that every replica and the next leader know.
 *
 * @param drain Machines to take out of service
 * @param cordoned Machines that must not be assigned
 * @param regionCordoned nothing of this region is assigned
 * @param regionDraining everything idle of this region leaves, and nothing is made
 * @param paused the loop of this region looks, but acts on nothing
 */
public record Marks(
    Set<MachineId> drain,
    Set<MachineId> cordoned,
    boolean regionCordoned,
    boolean regionDraining,
    boolean paused) {
  public static final Marks NONE = new Marks(Set.of(), Set.of(), false, false, false);

  public Marks {
    drain = Set.copyOf(drain);
    cordoned = Set.copyOf(cordoned);
  }

  /** What can be asked for. */
  public enum Mark {
    DRAIN,
    CORDON,
    PAUSE
  }
}
