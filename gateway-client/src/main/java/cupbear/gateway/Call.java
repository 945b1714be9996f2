// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request before it is sent; the same for every attempt.
 *
 * @param patience how long one attempt may take, to the last byte of its answer
 * @param lane which connections it uses
 */
record Call(
    HttpMethod method,
    String path,
    @Nullable JsonObject body,
    Map<String, String> headers,
    Duration patience,
    Lane lane) {

  /** Requests that wait in the scheduler's queue must not hold up those that keep sessions. */
  enum Lane {
    WAITING,
    SHORT
  }

  static final Duration SHORT_PATIENCE = Duration.ofSeconds(5);

  static Call quick(
      HttpMethod method, String path, @Nullable JsonObject body, Map<String, String> headers) {
    return new Call(method, path, body, headers, SHORT_PATIENCE, Lane.SHORT);
  }
}
