// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a token is for. */
public enum Role {
  /** Asks for sessions, and sees its own only. */
  GATEWAY,
  /** Looks, and sees no addresses. */
  VIEWER,
  /** Steers: drains, cordons, pauses, reloads. */
  OPERATOR,
  /** All that an operator may, and the audit. */
  ADMIN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> of(String word) {
    return Stream.of(values()).filter(each -> each.word().equals(word)).findFirst();
  }
}
