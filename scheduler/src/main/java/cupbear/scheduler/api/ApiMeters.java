// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.time.Duration;

/** What the API counts; names of metrics live in telemetry. The defaults do nothing. */
public interface ApiMeters {
  ApiMeters NONE = new ApiMeters() {};

  /**
   * A request was answered.
   *
   * @param route the template, such as {@code GET /v1/sessions/{id}}; {@code none} without one
   */
  default void answered(String route, int status, Duration took) {}

  /** Somebody was not let in; the reason is a word of a closed set. */
  default void refused(String reason) {}
}
