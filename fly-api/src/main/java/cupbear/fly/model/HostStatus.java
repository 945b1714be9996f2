// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import org.jspecify.annotations.Nullable;

/**
 * How the host under a Machine is. An unreachable host is neither healthy nor gone; a word we do
 * not know, or none at all (summaries leave it out), is {@code UNKNOWN}.
 */
public enum HostStatus {
  OK,
  UNKNOWN,
  UNREACHABLE;

  @JsonCreator
  public static HostStatus of(@Nullable String word) {
    return Words.find(HostStatus.class, word, UNKNOWN);
  }
}
