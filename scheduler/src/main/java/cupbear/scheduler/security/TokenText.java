// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a token, {@code cb_<id>_<secret>}. The prefix is for scanners that look for leaked
 * secrets; the id is safe to log. A secret of 32 random bytes needs no slow hash: SHA-256 will do.
 */
final class TokenText {
  private static final int ID_LETTERS = 10;
  private static final int SECRET_BYTES = 32;
  private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final Pattern SHAPE =
      Pattern.compile("cb_([a-z0-9]{%d})_[A-Za-z0-9_-]{43}".formatted(ID_LETTERS));
  private static final Pattern ID = Pattern.compile("[a-z0-9]{%d}".formatted(ID_LETTERS));

  private TokenText() {}

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  static String newId(SecureRandom random) {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < ID_LETTERS; i++) id.append(ALPHABET.charAt(random.nextInt(32)));
    return id.toString();
  }

  static Secret make(String id, SecureRandom random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return Secret.of("cb_%s_%s".formatted(id, secret));
  }

  static Optional<String> idOf(String token) {
    Matcher parts = SHAPE.matcher(token);
    return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
  }

  static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
