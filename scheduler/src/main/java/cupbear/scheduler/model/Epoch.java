// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** Grows with every assignment and every change of leader; a write with an old epoch is refused. */
public record Epoch(long value) implements Comparable<Epoch> {
  public Epoch {
    if (value < 0)
      throw new IllegalArgumentException("epoch is " + value + "; it never is negative");
  }

  public boolean isOlderThan(Epoch other) {
    return value < other.value;
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
