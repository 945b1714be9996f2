// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.util.List;

/** What came of reading something a caller sent: all of it, or all that is wrong with it. */
sealed interface Parsed<T> {
  record Good<T>(T value) implements Parsed<T> {}

  record Bad<T>(List<FieldError> errors) implements Parsed<T> {
    public Bad {
      errors = List.copyOf(errors);
    }
  }
}
