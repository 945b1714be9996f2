// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static cupbear.scheduler.model.Verdict.HEALTHY;
import static cupbear.scheduler.model.Verdict.MISCONFIGURED;
import static cupbear.scheduler.model.Verdict.STRIKE;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.port.Probes.Depth;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the loop leaves in the journal, so that a Machine's story can be told. */
class LoopNotesTest {
  private final Stage stage = new Stage();

  private List<Entry> noted(EntryKind kind) {
    return stage.all(Effect.Note.class).stream()
        .flatMap(note -> note.entries().stream())
        .filter(entry -> entry.kind().equals(kind.word()))
        .toList();
  }

  @Test
  void aCreateThatWasDoneNamesItsMachine() {
    stage.bounds(1, 5).seen().end(new Ending.Done(new MachineId("m7")));
    assertThat(noted(EntryKind.ACTION_CREATE))
        .singleElement()
        .satisfies(entry -> assertThat(entry.machine()).isEqualTo(new MachineId("m7")));
  }

  @Test
  void eachStrikeIsToldUntilItIsOutAndNoFurther() {
    stage.warm("a", "b", "c", "d").seen();
    stage.beats(ofSeconds(7));
    for (String told : List.of("1 of 3", "2 of 3", "3 of 3")) {
      stage.probed("a", STRIKE, Depth.GUACD);
      assertThat(noted(EntryKind.PROBE_FAILED))
          .singleElement()
          .satisfies(entry -> {
            assertThat(entry.machine()).isEqualTo(new MachineId("a"));
            assertThat(entry.why()).isEqualTo("as the test says");
            assertThat(entry.data()).containsEntry("strike", told);
          });
    }
    stage.probed("a", STRIKE, Depth.GUACD);
    assertThat(noted(EntryKind.PROBE_FAILED)).isEmpty();
  }

  @Test
  void healthIsToldWhenItIsNews() {
    stage.proving("a", true).seen();
    stage.probed("a", STRIKE, Depth.GUACD);
    assertThat(noted(EntryKind.PROBE_FAILED)).as("while it boots nothing counts").isEmpty();
    stage.probed("a", HEALTHY, Depth.FIRST);
    assertThat(noted(EntryKind.PROBE_HEALTHY))
        .extracting(Entry::why)
        .first()
        .asString()
        .contains("first time");
    stage.probed("a", HEALTHY, Depth.FULL);
    assertThat(noted(EntryKind.PROBE_HEALTHY)).isEmpty();
    stage.probed("a", STRIKE, Depth.GUACD).probed("a", HEALTHY, Depth.GUACD);
    assertThat(noted(EntryKind.PROBE_HEALTHY))
        .extracting(Entry::why)
        .containsExactly("healthy again");
  }

  @Test
  void aMismatchIsToldOnceAndThatItIsOver() {
    stage.warm("a").seen();
    stage.beats(ofSeconds(7));
    assertThat(stage.probed("a", MISCONFIGURED, Depth.FULL).noted())
        .contains("probe.misconfigured");
    assertThat(stage.probed("a", MISCONFIGURED, Depth.FULL).noted())
        .doesNotContain("probe.misconfigured");
    assertThat(stage.probed("a", HEALTHY, Depth.FULL).noted()).contains("probe.healthy");
    assertThat(stage.probed("a", MISCONFIGURED, Depth.FULL).noted())
        .contains("probe.misconfigured");
  }

  @Test
  void thePlanIsToldToOthersWhenItChangesAndNotWithEveryPass() {
    stage.bounds(2, 5).seen();
    assertThat(noted(EntryKind.REGION_STATUS))
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.data()).containsEntry("plan", "create/under_target/2"));
    stage.pass(ofSeconds(1)).seen();
    assertThat(noted(EntryKind.REGION_STATUS)).as("people need time to read").isEmpty();
    stage.pass(ofSeconds(5)).seen();
    assertThat(noted(EntryKind.REGION_STATUS))
        .singleElement()
        .satisfies(entry -> assertThat(entry.data()).containsEntry("plan", ""));
    stage.pass(ofSeconds(5)).seen();
    assertThat(noted(EntryKind.REGION_STATUS)).as("nothing new").isEmpty();
  }
}
