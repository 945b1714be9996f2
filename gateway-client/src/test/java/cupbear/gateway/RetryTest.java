// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When and where to try again. */
class RetryTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration THREE = Duration.ofSeconds(3);
  private static final Refusal DEAD = new Refusal.Unreachable("refused");

  private static Retry after(long millis, boolean elsewhere) {
    return new Retry.After(Duration.ofMillis(millis), elsewhere);
  }

  /** First failure of a call with two replicas; the dice say one half. */
  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of("a dead replica: the next, now", DEAD, after(0, true)),
        Arguments.of(
            "no answer: the next, now", new Refusal.TimedOut(THREE, "slow"), after(0, true)),
        Arguments.of("nonsense: the next, now", new Refusal.Garbled("html"), after(0, true)),
        Arguments.of(
            "it shuts down: the next, now",
            new Refusal.Unavailable("shutting-down", THREE, ""),
            after(0, true)),
        Arguments.of(
            "the store is away: everywhere, so wait",
            new Refusal.Unavailable("store-unavailable", THREE, ""),
            after(3050, true)),
        Arguments.of("none warm: wait here", new Refusal.NoCapacity(THREE, ""), after(3050, false)),
        Arguments.of("queue full: wait here", new Refusal.QueueFull(THREE, ""), after(3050, false)),
        Arguments.of(
            "over the rate: wait here", new Refusal.RateLimited(THREE, ""), after(3050, false)),
        Arguments.of("no token", new Refusal.Unauthorized(""), new Retry.No()),
        Arguments.of("not allowed", new Refusal.Forbidden(""), new Retry.No()),
        Arguments.of("wrong", new Refusal.Invalid(List.of(), ""), new Retry.No()),
        Arguments.of("unknown", new Refusal.NotFound(""), new Retry.No()),
        Arguments.of("lease lost", new Refusal.LeaseLost("", ""), new Retry.No()),
        Arguments.of("Machine lost", new Refusal.MachineLost("", ""), new Retry.No()),
        Arguments.of("old epoch", new Refusal.EpochStale(""), new Retry.No()),
        Arguments.of("something else", new Refusal.Other(418, "", ""), new Retry.No()),
        Arguments.of("given up", new Refusal.GivenUp(""), new Retry.No()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void firstFailure(String what, Refusal refusal, Retry expected) {
    assertThat(Retry.rule(refusal, 1, 2, LONG, 0.5)).as(what).isEqualTo(expected);
  }

  @ParameterizedTest(name = "failure {0} of {1} replicas: between 0 and {2} ms")
  @CsvSource({"1,1,100", "2,1,200", "3,2,400", "6,3,3200", "7,3,5000", "100,3,5000"})
  void thePauseDoublesUpToABoundAndIsRandomBelowIt(int failures, int replicas, long bound) {
    assertThat(Retry.rule(DEAD, failures, replicas, LONG, 0)).isEqualTo(after(0, true));
    assertThat(Retry.rule(DEAD, failures, replicas, LONG, 1)).isEqualTo(after(bound, true));
  }

  @Test
  void aPauseThatEndsAtTheDeadlineOrLaterIsOfNoUse() {
    Refusal none = new Refusal.NoCapacity(THREE, "");
    assertThat(Retry.rule(none, 1, 1, Duration.ofMillis(3051), 0.5)).isEqualTo(after(3050, false));
    assertThat(Retry.rule(none, 1, 1, Duration.ofMillis(3050), 0.5)).isEqualTo(new Retry.No());
    assertThat(Retry.rule(DEAD, 1, 2, Duration.ZERO, 0.5)).isEqualTo(new Retry.No());
  }
}
