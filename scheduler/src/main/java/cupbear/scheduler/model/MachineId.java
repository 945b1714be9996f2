// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** Fly's name of one Machine, such as {@code 3d8d413b29d089}. */
public record MachineId(String value) implements Comparable<MachineId> {
  public MachineId {
    Words.require(value, Words.ID, "machine id");
  }

  @Override
  public int compareTo(MachineId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
