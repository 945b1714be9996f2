// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static cupbear.scheduler.loop.Stage.BEGAN;
import static cupbear.scheduler.loop.Stage.IAD;
import static cupbear.scheduler.model.Verdict.HEALTHY;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines.AppList;
import cupbear.scheduler.port.Probes.Depth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the loop makes of lists, snapshots and its own unseen deeds. */
class LoopMergingTest {
  private static final Policy POLICY = Policy.DEFAULT;

  private final Stage stage = new Stage();

  @Test
  void createsWhatIsMissingAndNotAgainWhileItIsOnItsWay() {
    stage.bounds(2, 5).seen();
    assertThat(stage.deeds())
        .containsExactly("create viewers-iad-7-001", "create viewers-iad-7-002");
    stage.end(new Ending.Done());
    assertThat(stage.tick().deeds()).isEmpty();
  }

  @Test
  void aLostAnswerKeepsTheExpectation() {
    stage.bounds(1, 5).seen().end(new Ending.TimedOut("no answer"));
    assertThat(stage.tick().deeds()).isEmpty();
  }

  @Test
  void aRefusedCreateIsTriedAgainUnderAnotherName() {
    stage.bounds(1, 5).seen().end(new Ending.FlyFailed(FlyTrouble.Kind.UNAVAILABLE, "down"));
    assertThat(stage.tick().deeds()).containsExactly("create viewers-iad-7-002");
  }

  @Test
  void threeRefusedCreatesHoldTheRegionBack() {
    stage.bounds(3, 5).seen().end(new Ending.FlyFailed(FlyTrouble.Kind.NO_CAPACITY, "full"));
    stage.pass(ofMillis(300)).seen();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.CAPACITY_SHORT)).isTrue();
    assertThat(stage.all(Effect.Publish.class).getLast().status().unmet()).isEqualTo(3);
  }

  @Test
  void oneMissedListDoubtsAndTwoGiveUp() {
    stage.warm("a", "b", "c", "d", "e").seen();
    stage.gone("e");
    assertThat(stage.tick().deeds()).containsExactly("doubt e");
    assertThat(stage.tick().deeds()).containsExactly("destroy e");
  }

  @Test
  void theSameListTwiceIsMissedOnce() {
    stage.warm("a", "b", "c", "d", "e").seen();
    stage.gone("e").tick();
    AppList same = new AppList(stage.now(), List.of());
    stage.end(new Ending.Refused("still there"));
    stage.pass(ofSeconds(5)).on(new Event.Seen(same, stage.snapshot(), false));
    assertThat(stage.deeds()).doesNotContain("destroy e");
  }

  @Test
  void aHealthyAnswerOutweighsAListThatMissesTheMachine() {
    stage.warm("a", "b", "c").seen();
    stage.gone("c").pass(ofSeconds(4)).probed("c", HEALTHY, Depth.GUACD);
    stage.pass(ofSeconds(1)).beat().seen();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.LIST_DISAGREES)).isTrue();
  }

  @Test
  void aHostThatIsDoubtfulForAMinuteCostsItsMachine() {
    stage.warm("a").seen().hostBad("a");
    assertThat(stage.tick().deeds()).containsExactly("doubt a");
    for (int i = 0; i < 11; i++) stage.tick();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.tick().deeds()).containsExactly("destroy a");
  }

  @Test
  void aMachineInNoBookIsAdoptedAfterItsGrace() {
    stage.listed("x", Power.RUNNING, "iad", Map.of("pool", "viewers")).seen();
    assertThat(stage.deeds()).isEmpty();
    for (int i = 0; i < 11; i++) stage.tick();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.tick().deeds()).containsExactly("adopt x");
  }

  @Test
  void aMachineInNoBookCountsUntilTwoListsInARowLackIt() {
    stage.bounds(2, 4).warm("a");
    stage.listed("x", Power.RUNNING, "iad", Map.of("pool", "viewers")).seen();
    assertThat(stage.deeds()).as("it counts as the second that is wanted").isEmpty();
    assertThat(stage.gone("x").tick().deeds()).as("one list may be partial").isEmpty();
    assertThat(stage.finding(Finding.Kind.UNKNOWN_MACHINES)).isTrue();
    assertThat(stage.tick().deeds()).as("it is gone").hasSize(1);
    assertThat(stage.finding(Finding.Kind.UNKNOWN_MACHINES)).isFalse();
  }

  @Test
  void aListThatKnowsLessThanAWatchHasToldIsAnOldStory() {
    stage.draining("a").seen();
    Listed lagging = since("a", Power.RUNNING, BEGAN.minusSeconds(60));
    deedsAfter(lagging);
    Instant stopped = stage.now();
    stage.on(new Event.Watched(lagging.id(), since("a", Power.STOPPED, stopped)));
    stage.stands("a", new MachineState.Parked(stopped));
    assertThat(deedsAfter(lagging)).isEmpty();
    stage.pass(ofSeconds(30));
    assertThat(deedsAfter(lagging)).as("no list lags that much").containsExactly("stop a");
  }

  private List<String> deedsAfter(Listed machine) {
    stage.pass(ofSeconds(5)).beat();
    AppList list = new AppList(stage.now(), List.of(machine));
    List<String> deeds = new ArrayList<>();
    deeds.addAll(stage.on(new Event.Seen(list, stage.snapshot(), false)).deeds());
    deeds.addAll(stage.pass(ofMillis(250)).beat().deeds());
    return deeds;
  }

  private Listed since(String id, Power power, Instant since) {
    Listed each = stage.flyHas(id);
    String address = each.address();
    return new Listed(
        each.id(), each.name(), IAD, true, power, address, true, since, null, null, each.tags());
  }

  @Test
  void aCreateThatIsRepeatedRemembersWhenItsNameWasFirstAskedFor() {
    Instant first = stage.bounds(1, 5).seen().now();
    stage.end(new Ending.TimedOut("no answer")).pass(POLICY.pass().answerWithin());
    assertThat(nameAskedAt(stage.tick())).isEqualTo(first);
    stage.end(new Ending.Done()).pass(POLICY.pass().answerWithin());
    assertThat(nameAskedAt(stage.tick())).isAfter(first);
  }

  private static Instant nameAskedAt(Stage after) {
    Task task = after.all(Effect.Perform.class).getFirst().task();
    return ((Task.Make) task).nameAskedAt();
  }

  @Test
  void foreignMachinesAndThoseOfOtherRegionsAreNeverTouched() {
    stage.listed("x", Power.RUNNING, "iad", Map.of());
    stage.listed("y", Power.RUNNING, "lhr", Map.of("pool", "viewers")).seen();
    for (int i = 0; i < 30; i++) assertThat(stage.tick().deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.FOREIGN_MACHINES)).isTrue();
    assertThat(stage.finding(Finding.Kind.UNKNOWN_MACHINES)).isFalse();
  }

  @Test
  void aSnapshotFromBeforeAMoveDoesNotUndoIt() {
    stage.provisioning("a").seen().power("a", Power.RUNNING);
    stage.pass(ofSeconds(5)).beat();
    var before = stage.snapshot();
    stage.on(new Event.Seen(new AppList(stage.now(), List.of(stage.flyHas("a"))), before, false));
    assertThat(stage.deeds()).containsExactly("book booted a");
    stage.pass(ofSeconds(5)).beat();
    stage.on(new Event.Outcome(booted(), new Ending.Done()));
    stage.on(new Event.Seen(new AppList(stage.now(), List.of(stage.flyHas("a"))), before, false));
    assertThat(stage.deeds()).isEmpty();
  }

  private Task booted() {
    var move = new cupbear.scheduler.model.Move.Boot(new MachineId("a"), "fdaa::1");
    var why = new cupbear.scheduler.model.Why(cupbear.scheduler.model.Reason.BOOTED, "");
    return new Task.Shift(
        new cupbear.scheduler.model.Action.Book(
            new MachineId("a"), cupbear.scheduler.model.Progress.BOOTED, why),
        move);
  }

  @Test
  void aClockThatIsWrongByAnHourCondemnsNobody() {
    stage.storeAhead(ofMinutes(60)).proving("a", true).seen();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.STALE_VIEW)).isFalse();
  }
}
