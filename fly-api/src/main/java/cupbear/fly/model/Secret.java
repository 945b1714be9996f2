// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text that must reach Fly and nobody else: a token, a password for {@code exec}. It cannot be
 * printed, compared by eye, serialised or turned into JSON by accident; only {@link #use} sees it.
 */
public final class Secret {

  private static final int WORTH_MASKING = 4;

  private final String text;

  private Secret(String text) {
    this.text = text;
  }

  public static Secret of(String text) {
    return new Secret(text);
  }

  /** The one way in. Do not keep what you make of it longer than the request it is for. */
  public <R> R use(Function<String, R> maker) {
    return maker.apply(text);
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** The given text with every occurrence of this secret, or of a line of it, masked. */
  public String maskIn(String where) {
    String masked = where;
    for (String line : text.lines().map(String::strip).toList()) {
      // A shorter line is no secret, and masking every "y" would leave nothing to read.
      if (line.length() >= WORTH_MASKING) {
        masked = masked.replace(line, "***");
      }
    }
    return masked;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret secret && secret.text.equals(text);
  }

  /** Constant: a hash in a log would be a hint. */
  @Override
  public int hashCode() {
    return 1;
  }

  @Override
  public String toString() {
    return "***";
  }
}
