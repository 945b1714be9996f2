// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.PlanDigest.Step;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan in a few words, and the words of the journal. */
class PlanDigestTest {
  private static final Step CREATE = new Step(ActionKind.CREATE, Reason.UNDER_TARGET);
  private static final Step STOP = new Step(ActionKind.STOP, Reason.SURPLUS);

  private static PlanDigest digest(Map<Step, Integer> counts) {
    return new PlanDigest(new TreeMap<>(counts));
  }

  @Test
  void whatIsWrittenCanBeRead() {
    PlanDigest digest = digest(Map.of(CREATE, 2, STOP, 1));
    assertThat(digest.text()).isEqualTo("create/under_target/2 stop/surplus/1");
    assertThat(PlanDigest.read(digest.text())).contains(digest);
    assertThat(PlanDigest.read("")).contains(PlanDigest.NOTHING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create",
        "create/under_target",
        "brew/under_target/1",
        "create/tea/1",
        "create/under_target/-1",
        "create/under_target/1  stop/surplus/1"
      })
  void whatAnotherVersionWroteIsNotGuessedAt(String text) {
    assertThat(PlanDigest.read(text)).isEmpty();
  }

  @Test
  void aPassThatRepeatsItselfCountsOnce() {
    assertThat(digest(Map.of(CREATE, 2)).with(digest(Map.of(CREATE, 1, STOP, 1))))
        .isEqualTo(digest(Map.of(CREATE, 2, STOP, 1)));
  }

  @ParameterizedTest
  @EnumSource(ActionKind.class)
  void everyActionHasItsWordInTheJournal(ActionKind kind) {
    String word = "action." + kind.name().toLowerCase(java.util.Locale.ROOT);
    assertThat(EntryKind.of(kind).word()).isEqualTo(word);
    assertThat(EntryKind.of(word)).contains(EntryKind.of(kind));
  }
}
