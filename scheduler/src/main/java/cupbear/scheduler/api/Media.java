// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** As much of media types as the API needs. */
final class Media {
  private static final Pattern JSON =
      Pattern.compile(
          "application/json\\s*(?:;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern REFUSED = Pattern.compile("q\\s*=\\s*0(?:\\.0{0,3})?");

  private Media() {}

  static boolean isJson(@Nullable String contentType) {
    return contentType != null && JSON.matcher(contentType.trim()).matches();
  }

  /** Whether a caller that accepts this can read that. Saying nothing is accepting all. */
  static boolean accepts(@Nullable String accept, String type) {
    if (accept == null || accept.isBlank()) return true;
    String family = type.substring(0, type.indexOf('/') + 1) + "*";
    for (String each : accept.toLowerCase(Locale.ROOT).split(",", 50)) {
      String[] parts = each.split(";", 10);
      String range = parts[0].trim();
      boolean fits = range.equals("*/*") || range.equals(type) || range.equals(family);
      if (fits && !isRefused(parts)) return true;
    }
    return false;
  }

  private static boolean isRefused(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      if (REFUSED.matcher(parts[i].trim()).matches()) return true;
    }
    return false;
  }
}
