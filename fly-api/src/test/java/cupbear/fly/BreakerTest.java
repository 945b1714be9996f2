// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When to stop asking a host that does not answer, and when to ask again. */
class BreakerTest {

  private static final long SECOND = 1_000_000_000L;
  private static final BreakerRule RULE =
      new BreakerRule(8, 4, 0.5, Duration.ofSeconds(5), Duration.ofSeconds(15));

  @Test
  void fewFailuresProveNothing() {
    assertThat(after("xxx").permits(0)).isTrue();
  }

  @Test
  void halfOfEnoughCallsOpensIt() {
    assertThat(after("xxxx").permits(0)).isFalse();
    assertThat(after("..xx").permits(0)).isFalse();
    assertThat(after("...x").permits(0)).isTrue();
  }

  @Test
  void oldCallsAreForgotten() {
    assertThat(after("........xxx").permits(0)).isTrue();
    assertThat(after("........xxxx").permits(0)).isFalse();
    assertThat(after("x........xxx").permits(0)).isTrue();
  }

  @Test
  void afterThePauseOneCallTries() {
    Breaker open = after("xxxx");
    assertThat(open.permits(5 * SECOND - 1)).isFalse();
    assertThat(open.permits(5 * SECOND)).isTrue();
    assertThat(open.leaving().permits(5 * SECOND)).as("a second one").isFalse();
  }

  @Test
  void itsSuccessClosesAndForgets() {
    Breaker closed = after("xxxx").leaving().succeeded();
    assertThat(closed).isEqualTo(Breaker.closed(RULE));
  }

  @Test
  void itsFailureOpensForLongerUpToABound() {
    Breaker twice = after("xxxx").leaving().failed(5 * SECOND);
    assertThat(twice.permits(15 * SECOND - 1)).isFalse();
    assertThat(twice.permits(15 * SECOND)).isTrue();
    Breaker thrice = twice.leaving().failed(15 * SECOND);
    assertThat(thrice.permits(30 * SECOND - 1)).isFalse();
    assertThat(thrice.permits(30 * SECOND)).isTrue();
  }

  @Test
  void anEndThatSaysNothingLetsSomebodyElseTry() {
    assertThat(after("xxxx").leaving().undecided().permits(5 * SECOND)).isTrue();
  }

  @Test
  void answersToOldRequestsDoNotMoveAnOpenOne() {
    Breaker open = after("xxxx");
    assertThat(open.succeeded()).isEqualTo(open);
    assertThat(open.failed(SECOND)).isEqualTo(open);
  }

  /** x a failure, . a success, all at time zero. */
  private static Breaker after(String calls) {
    Breaker breaker = Breaker.closed(RULE);
    for (int i = 0; i < calls.length(); i++) {
      breaker = calls.charAt(i) == 'x' ? breaker.failed(0) : breaker.succeeded();
    }
    return breaker;
  }
}
