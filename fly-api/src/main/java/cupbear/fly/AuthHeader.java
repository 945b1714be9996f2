// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.model.Secret;
import java.util.regex.Pattern;

/**
 * The Authorization header for a token. People paste tokens with and without their scheme, even
 * with both; macaroons ({@code fm…}) go under {@code FlyV1}, all others under {@code Bearer}. Pure.
 */
final class AuthHeader {

  private static final Pattern SCHEMES = Pattern.compile("(?i)^(?:\\s*(?:bearer|flyv1)\\s+)+");

  private AuthHeader() {}

  /**
   * @throws IllegalArgumentException when it is no token; the message does not hold it
   */
  static String of(Secret token) {
    return token.use(AuthHeader::header);
  }

  private static String header(String text) {
    String bare = SCHEMES.matcher(text).replaceFirst("").strip();
    if (bare.isEmpty()) {
      throw new IllegalArgumentException("the Fly token is empty");
    }
    if (bare.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("the Fly token holds a line break or a foreign character");
    }
    return (bare.startsWith("fm") ? "FlyV1 " : "Bearer ") + bare;
  }
}
