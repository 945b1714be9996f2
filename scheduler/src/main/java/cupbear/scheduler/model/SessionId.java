// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** One viewer's use of one Machine, such as {@code ses_01J…}. */
public record SessionId(String value) implements Comparable<SessionId> {
  public SessionId {
    Words.require(value, Words.ID, "session id");
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
