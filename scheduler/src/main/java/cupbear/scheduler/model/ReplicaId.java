// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** One running scheduler process; new with every start, so that a restart is another replica. */
public record ReplicaId(String value) implements Comparable<ReplicaId> {
  public ReplicaId {
    Words.require(value, Words.ID, "replica id");
  }

  @Override
  public int compareTo(ReplicaId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
