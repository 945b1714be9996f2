// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static cupbear.scheduler.model.Verdict.HEALTHY;
import static cupbear.scheduler.model.Verdict.STRIKE;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.Probes.Depth;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What requests, neighbours and operators move. */
class LoopDemandTest {
  private final Stage stage = new Stage();

  @Test
  void aSpikeOfWaitersBringsEverythingUpAtOnce() {
    stage.bounds(1, 4).warm("a").seen();
    stage.waiting(11).pass(ofSeconds(2)).on(new Event.Happened(stage.entry("session.queued")));
    assertThat(stage.all(Effect.Observe.class)).hasSize(1);
    assertThat(stage.seen().deeds()).hasSize(3);
  }

  @Test
  void arrivalsRaiseTheTargetAndTheHoldWindowKeepsIt() {
    stage.bounds(0, 5).seen();
    stage.arrived(20);
    assertThat(stage.tick().deeds()).hasSize(5);
    for (int i = 0; i < 50; i++) stage.tick();
    assertThat(stage.target()).isEqualTo(5);
    for (int i = 0; i < 130; i++) stage.tick();
    assertThat(stage.target()).isZero();
  }

  @Test
  void whatNeighboursLackIsHeldHere() {
    stage.bounds(1, 5).warm("a").seen();
    stage.on(new Event.Spilled(3));
    assertThat(stage.tick().deeds()).hasSize(2);
  }

  @Test
  void aHintRaisesTheEstimateForAWhile() {
    stage.bounds(0, 5).seen();
    stage.pass(ofSeconds(1)).on(new Event.Hinted(1, ofMinutes(1)));
    assertThat(stage.deeds()).hasSize(5);
  }

  @Test
  void aPlanThatDidNotFitComesBackSoonButNotAtOnce() {
    stage.bounds(15, 20).seen();
    assertThat(stage.deeds()).hasSize(10);
    assertThat(stage.beat().deeds()).isEmpty();
    assertThat(stage.beats(ofSeconds(1)).deeds()).hasSize(5);
  }

  @Test
  void aPausedRegionLooksProbesAndProvesAndDoesNothingElse() {
    stage.marks(new Marks(Set.of(), Set.of(), false, false, true));
    stage.bounds(3, 5).proving("a", true).seen();
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.probes()).containsExactly("a FIRST");
    stage.probed("a", HEALTHY, Depth.FIRST);
    stage.pass(ofSeconds(1)).beat().probed("a", HEALTHY, Depth.FULL);
    assertThat(stage.all(Effect.Prove.class)).hasSize(1);
    assertThat(stage.beats(ofSeconds(6)).all(Effect.Observe.class)).isNotEmpty();
  }

  @Test
  void alsoInAPausedRegionNothingUnwellIsGivenOut() {
    stage.marks(new Marks(Set.of(), Set.of(), false, false, true)).warm("a").seen();
    stage.beats(ofSeconds(7));
    assertThat(stage.probed("a", STRIKE, Depth.GUACD).deeds()).containsExactly("doubt a");
  }

  @Test
  void aDrainingRegionWantsNothingWarm() {
    stage.marks(new Marks(Set.of(), Set.of(), false, true, false));
    stage.bounds(2, 5).warm("a", "b").seen();
    assertThat(stage.deeds()).containsExactlyInAnyOrder("drain a", "drain b");
  }

  @Test
  void aCordonedMachineIsNotProven() {
    stage.marks(new Marks(Set.of(), Set.of(new MachineId("a")), false, false, false));
    stage.proving("a", true).seen().probed("a", HEALTHY, Depth.FIRST);
    stage.pass(ofSeconds(1)).beat().probed("a", HEALTHY, Depth.FULL);
    assertThat(stage.all(Effect.Prove.class)).isEmpty();
  }

  @Test
  void assignedMachinesAreWatchedOnce() {
    stage.assigned("a").warm("b").seen();
    assertThat(stage.all(Effect.Watch.class)).containsExactly(new Effect.Watch(new MachineId("a")));
    assertThat(stage.beats(ofSeconds(20)).all(Effect.Watch.class)).isEmpty();
    stage.on(new Event.Watched(new MachineId("a"), null));
    assertThat(stage.beats(ofSeconds(3)).all(Effect.Watch.class)).hasSize(1);
  }

  @Test
  void aMachineThatDiesUnderItsSessionIsLostInTheSameBreath() {
    stage.assigned("a").warm("b").seen();
    stage.power("a", Power.STOPPED).pass(ofSeconds(12));
    stage.on(new Event.Watched(new MachineId("a"), stage.flyHas("a")));
    assertThat(stage.deeds()).containsExactly("lose a");
  }

  @Test
  void whatIsOverdueIsEndedEverySecond() {
    stage.seen();
    assertThat(stage.beats(ofSeconds(5)).all(Effect.Expire.class)).isEmpty();
    stage.on(new Event.Expired(0));
    assertThat(stage.beats(ofSeconds(1)).all(Effect.Expire.class)).hasSize(1);
    stage.on(new Event.Expired(100));
    assertThat(stage.all(Effect.Expire.class)).hasSize(1);
  }
}
