// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Whether a Machine whose process ended comes back. Pure. A stop that was asked for never restarts;
 * {@code always} always does; {@code on-failure} (also when nothing is said) does after a failure,
 * at most {@code max_retries} times, or ten, within the window; {@code no} never.
 */
record RestartPolicy(Kind kind, long maxRetries) {

  /** The policies of the API. */
  enum Kind {
    NO,
    ALWAYS,
    ON_FAILURE
  }

  /** The time within which retries count, before the speed is applied. */
  static final Duration WINDOW = Duration.ofMinutes(5);

  private static final long USUAL_RETRIES = 10;

  static RestartPolicy of(JsonNode config) {
    JsonNode restart = config.path("restart");
    long retries = restart.path("max_retries").asLong(0);
    Kind kind =
        switch (restart.path("policy").asText("")) {
          case "always" -> Kind.ALWAYS;
          // A spot price is never met here.
          case "no", "spot-price" -> Kind.NO;
          default -> Kind.ON_FAILURE;
        };
    return new RestartPolicy(kind, retries > 0 ? retries : USUAL_RETRIES);
  }

  boolean restartsAfter(Exit exit, List<Instant> earlier, Instant windowStart) {
    if (exit.requestedStop()) {
      return false;
    }
    return switch (kind) {
      case NO -> false;
      case ALWAYS -> true;
      case ON_FAILURE ->
          (exit.code() != 0 || exit.oomKilled())
              && earlier.stream().filter(windowStart::isBefore).count() < maxRetries;
    };
  }
}
