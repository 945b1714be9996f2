// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import java.util.regex.Pattern;

/**
 * The second net against secrets in log lines; the first is that secrets have types that print
 * nothing. Knows the shapes of what we handle: Fly's tokens, our own, bearer headers, user info in
 * addresses.
 */
final class Masking {
  static final String MASK = "***";

  private static final Pattern SECRETS =
      Pattern.compile(
          "FlyV1\\s+\\S+"
              + "|\\bfm[12][a-z]?_[A-Za-z0-9+/=_.,-]+"
              + "|\\bfo1_[A-Za-z0-9_-]+"
              + "|\\bcb_[A-Za-z0-9]+_[A-Za-z0-9_-]{16,}"
              + "|(?i:bearer)\\s+[A-Za-z0-9._~+/=-]{8,}"
              + "|(?<=://)[^/@\\s\"]+(?=@)");

  private Masking() {}

  static String of(String text) {
    return SECRETS.matcher(text).replaceAll(MASK);
  }
}
