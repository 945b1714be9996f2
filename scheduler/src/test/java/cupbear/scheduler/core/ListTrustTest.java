// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListTrustTest {
  private static final Policy.Trust USUAL = Policy.Trust.DEFAULT;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "an empty list of a full app, 10, 0, 0, false",
    "an empty list of an app of one, 1, 0, 0, false",
    "an empty list of an empty app, 0, 0, 0, true",
    "more than half lost and more than three, 7, 3, 0, false",
    "exactly half lost, 8, 4, 0, true",
    "more than half lost but only three, 5, 2, 0, true",
    "what we destroyed ourselves is not lost, 10, 2, 8, true",
    "new ones make no collapse, 2, 9, 0, true"
  })
  void oneStep(String name, int known, int listed, int ended, boolean trusted) {
    ListTrust after =
        ListTrust.startingFrom(ids(0, known))
            .seen(ids(0, listed), ids(listed, listed + ended), USUAL);
    assertThat(after.trusted()).as(name).isEqualTo(trusted);
  }

  @Test
  void trustReturnsAfterTwoAgreeingListsAndASample() {
    ListTrust fallen = ListTrust.startingFrom(ids(0, 10)).seen(ids(0, 1), Set.of(), USUAL);
    assertThat(fallen.lost()).isEqualTo(9);
    assertThat(fallen.sample(USUAL)).as("one list is not enough").isEmpty();
    ListTrust agreed = fallen.seen(ids(0, 1), Set.of(), USUAL);
    assertThat(agreed.trusted()).as("two lists alone are not enough").isFalse();
    assertThat(agreed.sample(USUAL)).hasSize(3).allMatch(id -> !ids(0, 1).contains(id));
    assertThat(agreed.sampled(true, USUAL).trusted()).isTrue();
    assertThat(agreed.sampled(true, USUAL).seen(ids(0, 1), Set.of(), USUAL).trusted()).isTrue();
  }

  @Test
  void aSampleThatContradictsTheListsStartsAnew() {
    ListTrust agreed =
        ListTrust.startingFrom(ids(0, 10))
            .seen(Set.of(), Set.of(), USUAL)
            .seen(Set.of(), Set.of(), USUAL);
    ListTrust denied = agreed.sampled(false, USUAL);
    assertThat(denied.trusted()).isFalse();
    assertThat(denied.sample(USUAL)).isEmpty();
    assertThat(denied.sampled(true, USUAL).trusted()).as("an answer nobody asked for").isFalse();
  }

  @Test
  void listsThatDifferDoNotAgree() {
    ListTrust fallen = ListTrust.startingFrom(ids(0, 20)).seen(ids(0, 2), Set.of(), USUAL);
    assertThat(fallen.seen(ids(0, 20), Set.of(), USUAL).sample(USUAL)).isEmpty();
    ListTrust back = fallen.seen(ids(0, 20), Set.of(), USUAL).seen(ids(0, 20), Set.of(), USUAL);
    assertThat(back.sample(USUAL)).as("all are back: ask about some that are listed").hasSize(3);
    assertThat(back.sampled(true, USUAL).trusted()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a share of 0.2: three of ten are too many, 0.2, 2, 10, 7, false",
    "a share of 0.9: even eight of ten are fine, 0.9, 3, 10, 2, true",
    "more than 20: a pool of ten never collapses but to nothing, 0.5, 20, 10, 1, true",
    "an empty list is never believed, 1.0, 99, 10, 0, false"
  })
  void theLimitsAreThoseOfThePolicy(
      String name, double share, int moreThan, int known, int listed, boolean trusted) {
    Policy.Trust limits = new Policy.Trust(share, moreThan, 2, 3, Duration.ZERO, Duration.ZERO);
    ListTrust after = ListTrust.startingFrom(ids(0, known)).seen(ids(0, listed), Set.of(), limits);
    assertThat(after.trusted()).as(name).isEqualTo(trusted);
  }

  @Test
  void asManyListsHaveToAgreeAsThePolicySays() {
    Policy.Trust four = new Policy.Trust(0.5, 3, 4, 3, Duration.ZERO, Duration.ZERO);
    ListTrust trust = ListTrust.startingFrom(ids(0, 10));
    for (int lists = 1; lists <= 3; lists++) {
      trust = trust.seen(ids(0, 1), Set.of(), four);
      assertThat(trust.sample(four)).as("after %d lists", lists).isEmpty();
      assertThat(trust.sampled(true, four).trusted()).isFalse();
    }
    assertThat(trust.seen(ids(0, 1), Set.of(), four).sample(four)).isNotEmpty();
  }

  private static Set<MachineId> ids(int from, int to) {
    Set<MachineId> ids = new TreeSet<>();
    for (int i = from; i < to; i++) ids.add(new MachineId("m%02d".formatted(i)));
    return ids;
  }
}
