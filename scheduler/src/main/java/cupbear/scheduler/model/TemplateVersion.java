// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.regex.Pattern;

/** A template's version, such as {@code 7} or {@code 2026.3}; runs of digits count as numbers. */
public record TemplateVersion(String value) implements Comparable<TemplateVersion> {
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,31}");
  private static final Pattern SEAMS = Pattern.compile("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)");

  public TemplateVersion {
    Words.require(value, SHAPE, "template version");
  }

  /** Natural order, so that 10 comes after 9. */
  @Override
  public int compareTo(TemplateVersion other) {
    if (value.equals(other.value)) return 0;
    String[] mine = SEAMS.split(value);
    String[] theirs = SEAMS.split(other.value);
    for (int i = 0; i < Math.min(mine.length, theirs.length); i++) {
      int order = compareRun(mine[i], theirs[i]);
      if (order != 0) return order;
    }
    int byLength = Integer.compare(mine.length, theirs.length);
    return byLength != 0 ? byLength : value.compareTo(other.value);
  }

  private static int compareRun(String a, String b) {
    if (!isNumber(a) || !isNumber(b)) return a.compareTo(b);
    return new java.math.BigInteger(a).compareTo(new java.math.BigInteger(b));
  }

  private static boolean isNumber(String run) {
    return Character.isDigit(run.charAt(0));
  }

  @Override
  public String toString() {
    return value;
  }
}
