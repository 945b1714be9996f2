// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

/** One wrong field: its name as the caller wrote it (as far as it can be shown), and why. */
record FieldError(String field, String why) {
  private static final int FIELD_MOST = 100;
  private static final int WHY_MOST = 400;

  FieldError {
    field = shown(field, FIELD_MOST);
    why = shown(why, WHY_MOST);
  }

  /** Nothing that a log or a terminal could take for a command, and never a whole body. */
  static String shown(String text, int most) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length() && plain.length() < most; i++) {
      char each = text.charAt(i);
      plain.append(each >= 0x20 && each < 0x7f ? each : '?');
    }
    if (plain.isEmpty()) return "(empty)";
    return text.length() > most ? plain.append("...").toString() : plain.toString();
  }
}
