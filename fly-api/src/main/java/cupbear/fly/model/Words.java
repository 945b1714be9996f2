// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the constant for a word of Fly's, whatever its case and dashes; a fallback otherwise. */
final class Words {

  private Words() {}

  static <E extends Enum<E>> E find(Class<E> type, @Nullable String word, E otherwise) {
    if (word == null) {
      return otherwise;
    }
    String wanted = word.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(wanted)) {
        return constant;
      }
    }
    return otherwise;
  }
}
