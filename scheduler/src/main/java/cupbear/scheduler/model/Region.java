// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** A Fly region code, such as {@code iad}. */
public record Region(String code) implements Comparable<Region> {
  public Region {
    Words.require(code, Words.REGION, "region");
  }

  @Override
  public int compareTo(Region other) {
    return code.compareTo(other.code);
  }

  @Override
  public String toString() {
    return code;
  }
}
