// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.security.SecureRandom;

/**
 * Makes logins that are used once. Letters and digits only, so that no shell, no {@code chpasswd}
 * and no keyboard layout trips over them; short enough for Windows user names; with the mixture
 * that password rules ask for. Any thread.
 */
public final class OneTimeCredentials {
  private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final String MIXED =
      "ABCDEFGHJKLMNPQRSTUVWXYZ" + "abcdefghijkmnopqrstuvwxyz" + "23456789";
  private static final int NAME_LETTERS = 8;

  /** 57 letters each: 139 bits. */
  private static final int PASSWORD_LETTERS = 24;

  private final SecureRandom random;

  public OneTimeCredentials(SecureRandom random) {
    this.random = random;
  }

  public Credentials next() {
    String password = text(MIXED, PASSWORD_LETTERS);
    while (!isMixed(password)) password = text(MIXED, PASSWORD_LETTERS);
    return new Credentials("viewer-" + text(LETTERS, NAME_LETTERS), Secret.of(password));
  }

  private String text(String alphabet, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static boolean isMixed(String text) {
    return text.chars().anyMatch(Character::isUpperCase)
        && text.chars().anyMatch(Character::isLowerCase)
        && text.chars().anyMatch(Character::isDigit);
  }
}
