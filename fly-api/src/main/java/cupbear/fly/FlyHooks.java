// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * Where metrics and traces attach. All methods do nothing unless overridden; they are called on the
 * client's event loop and must not block. What they throw is logged and otherwise ignored.
 */
public interface FlyHooks {

  FlyHooks NONE = new FlyHooks() {};

  /** A call was made; the answer follows it to its end. */
  default CallHook started(CallInfo call) {
    return CallHook.NONE;
  }

  /** The breaker opened (true) or closed (false). */
  default void breaker(String host, boolean open) {}

  /** What is known of a call before it starts; the ids are for traces and logs, not for labels. */
  record CallInfo(Action action, String app, String machine, Urgency urgency) {}

  /** Follows one call. */
  interface CallHook {

    CallHook NONE = new CallHook() {};

    /**
     * A request is about to leave.
     *
     * @param number from 1
     * @param headers takes trace context: {@code headers.accept("traceparent", …)}
     */
    default void sending(int number, BiConsumer<String, String> headers) {}

    /**
     * That request is over.
     *
     * @param status HTTP status, 0 when there was no answer
     */
    default void answered(int number, int status, Duration onWire) {}

    /** The call is over; comes exactly once. */
    default void ended(Ending ending) {}
  }

  /**
   * How a call went.
   *
   * @param attempts requests sent, without look-ups, which are calls of their own
   * @param paced time spent waiting for the pace and for a free place
   * @param onWire time between sending and answer, over all attempts
   * @param requestId of the last answer; empty when there was none
   */
  record Ending(Outcome outcome, int attempts, Duration paced, Duration onWire, String requestId) {}
}
