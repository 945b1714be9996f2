// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.trace;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Mandate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Begins traces. The defaults do nothing; see {@link Span}. Any thread. */
public interface Tracing {
  Tracing NONE = new Tracing() {};

  /** Whether anybody keeps traces. */
  default boolean isOn() {
    return false;
  }

  /**
   * A request came in.
   *
   * @param route the template, such as {@code POST /v1/sessions}
   * @param traceparent the caller's place in its own trace, as it said it
   */
  default Span request(String route, @Nullable String traceparent, @Nullable String tracestate) {
    return Span.NONE;
  }

  /** A loop acts: a trace of its own, linked to the request that it follows from, when known. */
  default Span action(Mandate mandate, Action action) {
    return Span.NONE;
  }

  /** A Machine was given out in this span: what follows will be linked to it. */
  default void granted(Grant grant, Span by) {}

  /** Its gateway is connected, this long after the grant. */
  default void connected(Grant grant, Duration took) {}
}
