// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with the configuration.
 *
 * @param key the full key; empty when the file as a whole is wrong
 * @param value what was given; null when there is nothing to show, or it might be a secret
 * @param rule what is wrong and what to write instead
 * @param nearest the key or name that was probably meant
 */
public record Problem(
    Origin at, String key, @Nullable String value, String rule, @Nullable String nearest) {
  private static final int VALUE_SHOWN_MOST = 80;

  /** Fly's tokens and ours: put into the wrong place, they are not repeated. */
  private static final String TOKEN = "(FlyV1 |fm[12][ar]?_|fo1_|cb_[a-z0-9]+_)\\S*";

  public Problem {
    value = value == null ? null : printable(value);
    key = printable(key);
  }

  static Problem of(Origin at, String key, String rule) {
    return new Problem(at, key, null, rule, null);
  }

  /** The problem as one line, without its place. */
  public String sentence() {
    String what = value == null ? key : "%s is %s;".formatted(key, value);
    String hint = nearest == null ? "" : "; did you mean %s?".formatted(nearest);
    return (what + " " + rule + hint).strip();
  }

  @Override
  public String toString() {
    return at + ": " + sentence();
  }

  /**
   * No control character, no secret that can be told from its looks and no whole file gets into a
   * log line.
   */
  static String printable(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    plain = plain.replaceAll("://.*@", "://***@").replaceAll(TOKEN, "***");
    return plain.length() <= VALUE_SHOWN_MOST ? plain : plain.substring(0, VALUE_SHOWN_MOST) + "…";
  }
}
