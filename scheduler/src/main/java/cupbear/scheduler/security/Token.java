// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import cupbear.scheduler.model.PoolName;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a token: everything but the token.
 *
 * @param sha256 of the whole token text, in hexadecimal
 * @param pools those it may touch; empty for all
 * @param expires null for never
 */
public record Token(
    String id,
    String name,
    Role role,
    SortedSet<PoolName> pools,
    String sha256,
    Instant created,
    @Nullable Instant expires) {
  public Token {
    if (!TokenText.isId(id)) throw new IllegalArgumentException("token id is not one of ours");
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("sha256 is not 64 hexadecimal digits");
    }
    pools = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(pools));
    new Caller(name, id, role, pools);
  }

  Caller caller() {
    return new Caller(name, id, role, pools);
  }

  public boolean isExpired(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
