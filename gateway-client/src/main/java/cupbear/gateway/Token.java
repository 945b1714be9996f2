// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.util.function.Supplier;

/**
 * The bearer token. It is asked for anew on every request, so that a rotated one is picked up, and
 * shows itself to nobody: no {@code toString}, no serialisation, no accessor but the header.
 */
final class Token {
  private final Supplier<String> source;

  Token(Supplier<String> source) {
    this.source = source;
  }

  /** The value of the {@code Authorization} header. */
  String header() {
    String value = source.get().strip();
    if (!value.matches("[\\x21-\\x7e]{1,512}")) {
      // The value itself is not named: it may be a secret with a stray line break.
      throw new IllegalArgumentException(
          "the token is empty, too long or has characters that cannot be sent in a header;"
              + " it looks like cb_<id>_<secret>");
    }
    return "Bearer " + value;
  }

  @Override
  public String toString() {
    return "***";
  }
}
