// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A text that must not be seen. Printing, logging, formatting or serialising it gives {@code ***};
 * only {@link #reveal} gives the text, so that every place that needs it can be found by its name.
 */
public final class Secret {
  public static final String MASK = "***";

  private final transient String text;

  private Secret(String text) {
    this.text = text;
  }

  public static Secret of(String text) {
    return new Secret(text);
  }

  /** The text itself, for the one who sends it on its way. */
  public String reveal() {
    return text;
  }

  /** Also what JSON gets, whatever the mapper is told about fields. */
  @Override
  @JsonValue
  public String toString() {
    return MASK;
  }

  /** Takes the same time wherever the texts differ. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret that
        && MessageDigest.isEqual(
            text.getBytes(StandardCharsets.UTF_8), that.text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same for all: a hash tells something about the text. */
  @Override
  public int hashCode() {
    return MASK.hashCode();
  }
}
