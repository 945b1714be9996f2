// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much time a call has, waiting and repeating included, and how urgent it is.
 *
 * @param within null for what is usual for the action
 * @param urgency null for what is usual for the action
 */
record Terms(@Nullable Duration within, @Nullable Urgency urgency) {

  static final Terms USUAL = new Terms(null, null);

  Terms within(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("a call needs some time, not " + time);
    }
    return new Terms(time, urgency);
  }

  Terms urgency(Urgency wanted) {
    return new Terms(within, wanted);
  }

  Urgency urgencyOf(Action action) {
    return urgency == null ? action.urgency() : urgency;
  }

  Duration timeFor(Duration usual) {
    return within == null ? usual : within;
  }
}
