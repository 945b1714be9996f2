// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;

/**
 * How often and how soon a failed attempt is repeated.
 *
 * @param attempts at most this many, waiting rounds and passing preconditions not counted
 * @param base of the exponential backoff with full jitter, up to {@code longest}
 * @param refused least pause after a 429, which carries no Retry-After
 * @param lookAfter least pause before looking for what a lost answer left: Fly's list lags
 * @param passing how long a precondition that passes by itself is waited out
 */
public record RetryRule(
    int attempts,
    Duration base,
    Duration longest,
    Duration refused,
    Duration lookAfter,
    Duration passing) {

  public static final RetryRule USUAL =
      new RetryRule(
          8,
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofSeconds(10));
}
