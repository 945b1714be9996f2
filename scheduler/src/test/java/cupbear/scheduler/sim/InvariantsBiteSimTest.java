// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Takes one safeguard out of the scheduler at a time: the simulation has to find out. */
class InvariantsBiteSimTest {
  private static final int SEEDS = 200;

  static Stream<Arguments> safeguards() {
    return Stream.of(
        row(
            "expectations: nothing is ordered twice",
            BrokenOnPurpose::withoutExpectations,
            "nothing-sent-twice"),
        row(
            "fencing: an old leader's writes are refused",
            BrokenOnPurpose::withoutFencing,
            "old-leaders-are-refused"),
        row(
            "reserve before you touch",
            BrokenOnPurpose::touchingBeforeReserving,
            "live-sessions-run-on|nothing-granted-on-its-way-out"),
        row(
            "an empty list is not believed",
            BrokenOnPurpose::believingEveryList,
            "nothing-lost-without-evidence"),
        row(
            "whoever has left is not granted anything",
            BrokenOnPurpose::forgettingWhoLeft,
            "nobody-left-is-granted"),
        row(
            "failing a session twice takes one Machine in its place",
            BrokenOnPurpose::replacingAgainAndAgain,
            "one-session-per-key"));
  }

  private static Arguments row(String name, Supplier<Variant> broken, String invariant) {
    return Arguments.of(name, broken, invariant);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("safeguards")
  void withoutThisSafeguardAPromiseBreaks(
      String safeguard, Supplier<Variant> broken, String invariant) {
    assertThat(firstViolation(broken, invariant))
        .as("a violation of %s within %d seeds without: %s", invariant, SEEDS, safeguard)
        .isPresent();
  }

  private static Optional<Violation> firstViolation(Supplier<Variant> broken, String invariant) {
    return Stream.iterate(1L, seed -> seed + 1)
        .limit(SEEDS)
        .map(seed -> new SimWorld(Seeds.wild(seed), broken.get(), null).run())
        .flatMap(result -> result.violations().stream())
        .filter(violation -> violation.invariant().matches(invariant))
        .findFirst();
  }
}
