// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.trace.Tracing;
import java.time.Duration;
import java.util.Collection;

/** What the API counts; names of metrics live in telemetry. The defaults do nothing. */
public interface ApiMeters {
  ApiMeters NONE = new ApiMeters() {};

  /**
   * A request was answered.
   *
   * @param route the template, such as {@code GET /v1/sessions/{id}}; {@code none} without one
   */
  default void answered(String route, int status, Duration took) {}

  /** All that can be asked for, before anybody does; by the names that {@link #answered} uses. */
  default void routes(Collection<String> names) {}

  /** Somebody was not let in; the reason is a word of a closed set. */
  default void refused(String reason) {}

  /** Traces, when somebody keeps them. */
  default Tracing tracing() {
    return Tracing.NONE;
  }
}
