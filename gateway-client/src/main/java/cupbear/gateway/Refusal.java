// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.time.Duration;
import java.util.List;

/**
 * Why something did not work, as a value: switch over it. A failed future carries it in a {@link
 * RefusedException}; {@link #of} takes it out again.
 */
public sealed interface Refusal {
  /** One sentence for a log, in our own words or the scheduler's; holds no secret. */
  String detail();

  /** Nothing is warm. By the time given it may be. */
  record NoCapacity(Duration retryAfter, String detail) implements Refusal {}

  /** Too many are waiting already. */
  record QueueFull(Duration retryAfter, String detail) implements Refusal {}

  /** This token asks too often. */
  record RateLimited(Duration retryAfter, String detail) implements Refusal {}

  /** The scheduler is there and cannot serve now: its store is away, or it recovers or stops. */
  record Unavailable(String problem, Duration retryAfter, String detail) implements Refusal {}

  /** The token is missing, unknown or expired. */
  record Unauthorized(String detail) implements Refusal {}

  /** The token is good, but not for this. */
  record Forbidden(String detail) implements Refusal {}

  /** The request is wrong; the errors say where. */
  record Invalid(List<FieldError> errors, String detail) implements Refusal {
    public Invalid {
      errors = List.copyOf(errors);
    }
  }

  /** The scheduler does not know this session (any more). */
  record NotFound(String detail) implements Refusal {}

  /** The session is over: released, expired, never confirmed, too long. */
  record LeaseLost(String reason, String detail) implements Refusal {}

  /** The Machine is gone and was not replaced. */
  record MachineLost(String reason, String detail) implements Refusal {}

  /** Somebody holds a newer grant of this session. */
  record EpochStale(String detail) implements Refusal {}

  /** No replica could be reached. */
  record Unreachable(String detail) implements Refusal {}

  /** No answer came in time; whether something was done is not known. */
  record TimedOut(Duration after, String detail) implements Refusal {}

  /** The answer was none that the API allows: no JSON, too long, a field missing. */
  record Garbled(String detail) implements Refusal {}

  /** A refusal that this client has no name for. */
  record Other(int status, String problem, String detail) implements Refusal {}

  /** You ended it yourself: the client or session is closed, or the wait was given up. */
  record GivenUp(String detail) implements Refusal {}

  /** One wrong field. */
  record FieldError(String field, String why) {}

  /** The refusal in a failure of this library; a bug is passed on as it is. */
  static Refusal of(Throwable failure) {
    if (failure instanceof RefusedException refused) return refused.refusal();
    throw failure instanceof RuntimeException bug ? bug : new IllegalStateException(failure);
  }
}
