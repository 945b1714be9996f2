// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import cupbear.scheduler.model.PoolName;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who is asking. Sessions belong to the name, not to the token, so that a gateway keeps them when
 * its token is changed.
 *
 * @param name the same for all tokens of one gateway or person
 * @param token the id of the token that was shown; safe to log
 * @param pools those it may touch; empty for all
 */
public record Caller(String name, String token, Role role, Set<PoolName> pools) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

  /** What a name may look like, for people. */
  public static final String NAME_RULE = "up to 63 small letters, digits, '.', '_' and '-'";

  public Caller {
    if (!isName(name)) {
      throw new IllegalArgumentException("caller name; give " + NAME_RULE);
    }
    pools = Set.copyOf(pools);
  }

  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public boolean mayTouch(PoolName pool) {
    return pools.isEmpty() || pools.contains(pool);
  }
}
