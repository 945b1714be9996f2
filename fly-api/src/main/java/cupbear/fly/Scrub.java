// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.model.Secret;
import java.util.List;
import java.util.regex.Pattern;

/** Makes foreign text fit for a log line: secrets masked, one line, not too long. Pure. */
final class Scrub {

  private static final int LONGEST = 400;
  private static final Pattern TOKEN =
      Pattern.compile("(?i)\\b(bearer|flyv1)\\s+\\S+|\\bfm\\d[a-z]?_[^\\s\"']+");
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\s]+");

  private Scrub() {}

  static String clean(String text, List<Secret> secrets) {
    String masked = text;
    for (Secret secret : secrets) {
      masked = secret.maskIn(masked);
    }
    String line = CONTROL.matcher(TOKEN.matcher(masked).replaceAll("***")).replaceAll(" ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
