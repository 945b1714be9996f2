// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.Set;

/**
 * A token that the simulated platform knows.
 *
 * @param secret without {@code Bearer} or {@code FlyV1}
 * @param org the organisation it belongs to
 * @param apps the apps it is limited to; empty for the whole organisation
 * @param user what leases name as their owner
 */
public record Token(String secret, String org, Set<String> apps, String user) {
  public Token {
    if (secret.isBlank() || org.isBlank()) {
      throw new IllegalArgumentException("a token needs a secret and an organisation");
    }
    apps = Set.copyOf(apps);
  }

  /** A token for a whole organisation. */
  public static Token org(String secret, String org) {
    return new Token(secret, org, Set.of(), "scheduler@tokens.fly.io");
  }

  /** A token as {@code fly tokens create deploy} makes it: one app. */
  public static Token app(String secret, String org, String app) {
    return new Token(secret, org, Set.of(app), "deploy-" + app + "@tokens.fly.io");
  }

  boolean allowsOrg(String slug) {
    return org.equals(slug) && apps.isEmpty();
  }

  boolean allows(App app) {
    return org.equals(app.org) && (apps.isEmpty() || apps.contains(app.name));
  }

  // Tokens are printed by accident sooner or later.
  @Override
  public String toString() {
    return "Token[" + user + " of " + org + "]";
  }
}
