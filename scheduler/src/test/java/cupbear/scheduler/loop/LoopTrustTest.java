// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Machines.AppList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the loop believes Fly, and when the store. */
class LoopTrustTest {
  private final Stage stage = new Stage();

  @Test
  void aCollapsedListCreatesAndDestroysNothing() {
    stage.bounds(5, 8).warm("a", "b", "c", "d", "e").seen();
    stage.gone("a", "b", "c", "d", "e");
    assertThat(stage.tick().deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.LIST_COLLAPSED)).isTrue();
  }

  @Test
  void twoAgreeingListsAndALookAtAFewBringTrustBack() {
    stage.bounds(5, 8).warm("a", "b", "c", "d", "e").seen();
    stage.gone("a", "b", "c", "d", "e").tick();
    assertThat(stage.tick().all(Effect.Look.class)).hasSize(1);
    stage.on(new Event.Looked(Map.of(), true));
    assertThat(stage.tick().deeds()).contains("destroy a", "destroy e");
  }

  @Test
  void aLookThatContradictsTheListKeepsTheDoubt() {
    stage.bounds(5, 8).warm("a", "b", "c", "d", "e").seen();
    var there = stage.flyHas("a");
    stage.gone("a", "b", "c", "d", "e").tick();
    stage.tick();
    stage.on(new Event.Looked(Map.of(new MachineId("a"), there), true));
    assertThat(stage.tick().deeds()).isEmpty();
  }

  @Test
  void aBookThatLostMachinesIsNotBelievedBeforeTheStoreWasLookedAt() {
    stage.bounds(2, 5).warm("a", "b").seen();
    stage.unbooked("a", "b");
    stage.tick();
    assertThat(stage.all(Effect.LookAtStore.class)).hasSize(1);
    assertThat(stage.deeds()).isEmpty();
    stage.on(new Event.StoreLooked(new StoreState.Ready(1), true));
    stage.tick();
    assertThat(stage.finding(Finding.Kind.UNKNOWN_MACHINES)).isTrue();
  }

  @Test
  void aMachineThatWeForgotMayBeMissing() {
    stage.condemned("a").seen();
    stage.end(new Ending.Done());
    stage.gone("a").tick();
    assertThat(stage.tick().deeds()).containsExactly("book gone a");
    stage.end(new Ending.Done());
    stage.unbooked("a").tick();
    assertThat(stage.all(Effect.LookAtStore.class)).isEmpty();
  }

  private final StoreState.Recovering recovering =
      new StoreState.Recovering(9, Stage.BEGAN, Stage.BEGAN.plusSeconds(20));

  @Test
  void tellsAStoreThatLostDataWhatItRemembersAndWhatIsTaggedInUse() {
    stage.warm("a", "b").assigned("c").tagged("c", "assigned").seen();
    stage.gone("b").pass(ofSeconds(5)).beat();
    stage.on(new Event.StoreLooked(recovering, false));
    stage.on(
        new Event.Seen(
            new AppList(stage.now(), List.of(stage.flyHas("a"), stage.flyHas("c"))), null, true));
    // The first word went out with the list it had; the store takes one.
    assertThat(stage.all(Effect.Report.class)).isEmpty();
    stage.pass(ofSeconds(4)).beat();
    assertThat(stage.all(Effect.Report.class))
        .singleElement()
        .satisfies(report -> {
          assertThat(report.report().remembered())
              .extracting(each -> each.id().value())
              .containsExactly("a", "c");
          assertThat(report.report().taggedInUse()).containsExactly(new MachineId("c"));
        });
  }

  @Test
  void aNewLeaderReportsWhatTheLastLoopOfThisProcessRemembered() {
    stage.warm("a").seen();
    Memory left = stage.loop().memory();
    Stage next = new Stage().remembering(left).warm("a");
    next.on(new Event.StoreLooked(recovering, false));
    assertThat(next.all(Effect.Report.class)).isEmpty();
    next.on(new Event.Seen(new AppList(next.now(), List.of(next.flyHas("a"))), null, true));
    assertThat(next.all(Effect.Report.class))
        .singleElement()
        .satisfies(report -> assertThat(report.report().remembered()).hasSize(1));
  }

  @Test
  void aBookThatIsClosedUntilItsLeaderReportsIsAReasonToo() {
    stage.on(new Event.Seen(new AppList(stage.now(), List.of()), null, true));
    assertThat(stage.all(Effect.Report.class)).hasSize(1);
  }

  @Test
  void whileTheStoreIsRebuiltNothingIsPlanned() {
    stage.bounds(2, 5).on(new Event.StoreLooked(recovering, false));
    stage.on(new Event.Seen(new AppList(stage.now(), List.of()), null, true));
    stage.on(new Event.Reported(recovering));
    assertThat(stage.tick().deeds()).isEmpty();
    stage.on(new Event.StoreLooked(new StoreState.Ready(9), false));
    assertThat(stage.tick().deeds()).hasSize(2);
  }
}
