// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.MachineId;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListTrustTest {
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
        ListTrust.startingFrom(ids(0, known)).seen(ids(0, listed), ids(listed, listed + ended));
    assertThat(after.trusted()).as(name).isEqualTo(trusted);
  }

  @Test
  void trustReturnsAfterTwoAgreeingListsAndASample() {
    ListTrust fallen = ListTrust.startingFrom(ids(0, 10)).seen(ids(0, 1), Set.of());
    assertThat(fallen.lost()).isEqualTo(9);
    assertThat(fallen.sample()).as("one list is not enough").isEmpty();
    ListTrust agreed = fallen.seen(ids(0, 1), Set.of());
    assertThat(agreed.trusted()).as("two lists alone are not enough").isFalse();
    assertThat(agreed.sample()).hasSize(3).allMatch(id -> !ids(0, 1).contains(id));
    assertThat(agreed.sampled(true).trusted()).isTrue();
    assertThat(agreed.sampled(true).seen(ids(0, 1), Set.of()).trusted()).isTrue();
  }

  @Test
  void aSampleThatContradictsTheListsStartsAnew() {
    ListTrust agreed =
        ListTrust.startingFrom(ids(0, 10)).seen(Set.of(), Set.of()).seen(Set.of(), Set.of());
    ListTrust denied = agreed.sampled(false);
    assertThat(denied.trusted()).isFalse();
    assertThat(denied.sample()).isEmpty();
    assertThat(denied.sampled(true).trusted()).as("an answer nobody asked for").isFalse();
  }

  @Test
  void listsThatDifferDoNotAgree() {
    ListTrust fallen = ListTrust.startingFrom(ids(0, 20)).seen(ids(0, 2), Set.of());
    assertThat(fallen.seen(ids(0, 20), Set.of()).sample()).isEmpty();
    ListTrust back = fallen.seen(ids(0, 20), Set.of()).seen(ids(0, 20), Set.of());
    assertThat(back.sample()).as("all are back: ask about some that are listed").hasSize(3);
    assertThat(back.sampled(true).trusted()).isTrue();
  }

  private static Set<MachineId> ids(int from, int to) {
    Set<MachineId> ids = new TreeSet<>();
    for (int i = from; i < to; i++) ids.add(new MachineId("m%02d".formatted(i)));
    return ids;
  }
}
