// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** The name of a declared pool, such as {@code viewers}. */
public record PoolName(String value) implements Comparable<PoolName> {
  public PoolName {
    Words.require(value, Words.NAME, "pool name");
  }

  @Override
  public int compareTo(PoolName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
