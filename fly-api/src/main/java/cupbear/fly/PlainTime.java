// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Times as Fly writes nearly all of them, {@code 2026-11-18T10:00:00Z}. A list has several for each
 * Machine, and the JDK's reader for all forms makes some 3 KB of garbage for one.
 */
final class PlainTime {
  private static final String FORM = "0000-00-00T00:00:00Z";

  private PlainTime() {}

  /** Digits where digits belong; that they make a day and an hour, {@link #parse} finds out. */
  static boolean isOne(String text) {
    if (text.length() != FORM.length()) return false;
    for (int i = 0; i < FORM.length(); i++) {
      char wanted = FORM.charAt(i);
      char seen = text.charAt(i);
      boolean fits = wanted == '0' ? seen >= '0' && seen <= '9' : seen == wanted;
      if (!fits) return false;
    }
    return true;
  }

  /**
   * Only for a text of this form.
   *
   * @throws DateTimeException when there is no such day or hour
   */
  static Instant parse(String text) {
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19))
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }
}
