// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One viewer's use of one Machine, such as {@code ses_viewers_01J…}: the pool is part of it. */
public record SessionId(String value) implements Comparable<SessionId> {
  private static final Pattern OURS =
      Pattern.compile("ses_(" + Words.NAME.pattern() + ")_[A-Za-z0-9-]{1,26}");

  public SessionId {
    Words.require(value, Words.ID, "session id");
  }

  /** Where to look for it; empty when it is not one of ours. Names of pools have no underscore. */
  public Optional<PoolName> pool() {
    Matcher parts = OURS.matcher(value);
    return parts.matches() ? Optional.of(new PoolName(parts.group(1))) : Optional.empty();
  }

  /**
   * A new one.
   *
   * @param rest 26 letters or digits that nobody can guess
   */
  public static SessionId of(PoolName pool, String rest) {
    return new SessionId("ses_%s_%s".formatted(pool, rest));
  }

  @Override
  public int compareTo(SessionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
