// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.regex.Pattern;

/** The shapes that names may have, so that none of them can break a key, a label or a log line. */
final class Words {
  static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  static final Pattern CALLER = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?");
  static final Pattern REGION = Pattern.compile("[a-z]{3,4}");

  private Words() {}

  static void require(String value, Pattern shape, String what) {
    if (!shape.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "%s is '%s'; it must match %s".formatted(what, printable(value), shape.pattern()));
    }
  }

  private static String printable(String value) {
    String plain = value.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.length() <= 80 ? plain : plain.substring(0, 80) + "…";
  }
}
