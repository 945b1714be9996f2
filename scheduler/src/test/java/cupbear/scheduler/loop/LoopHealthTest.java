// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static cupbear.scheduler.model.Verdict.HEALTHY;
import static cupbear.scheduler.model.Verdict.MISCONFIGURED;
import static cupbear.scheduler.model.Verdict.PROBER_FAULT;
import static cupbear.scheduler.model.Verdict.STRIKE;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Probes.Depth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom the loop asks how it is, and what follows from the answers. */
class LoopHealthTest {
  private final Stage stage = new Stage();

  @Test
  void aProvingMachineIsAskedInFullUntilItIsReady() {
    stage.proving("a", true).seen();
    assertThat(stage.probes()).containsExactly("a FIRST");
    stage.probed("a", STRIKE, Depth.GUACD);
    assertThat(stage.beats(ofSeconds(1)).probes()).containsExactly("a FIRST");
    stage.probed("a", HEALTHY, Depth.FIRST);
    assertThat(stage.beats(ofSeconds(1)).probes()).containsExactly("a FULL");
  }

  @Test
  void oneProbeIsInFlightPerMachine() {
    stage.proving("a", true).seen();
    assertThat(stage.beats(ofSeconds(20)).probes()).isEmpty();
  }

  @Test
  void twoHealthyRoundsAndCredentialsProveItAtOnce() {
    stage.proving("a", true).seen().probed("a", HEALTHY, Depth.FIRST);
    assertThat(stage.all(Effect.Prove.class)).isEmpty();
    stage.pass(ofSeconds(1)).beat().probed("a", HEALTHY, Depth.FULL);
    assertThat(stage.all(Effect.Prove.class))
        .singleElement()
        .satisfies(prove -> {
          assertThat(prove.proof().bootedAt()).isEqualTo(stage.booked("a").bootedAt());
          assertThat(prove.proof().rdpAt()).isEqualTo(stage.now());
        });
    assertThat(stage.beats(ofSeconds(3)).all(Effect.Prove.class)).isEmpty();
  }

  @Test
  void withoutItsCredentialsItIsNotProven() {
    stage.credentials().proving("a", false).seen();
    assertThat(stage.deeds()).containsExactly("stage a");
    healthyTwice("a");
    assertThat(stage.all(Effect.Prove.class)).isEmpty();
  }

  @Test
  void onceStagedItIsProvenWithoutAnotherSnapshot() {
    stage.credentials().proving("a", false).seen();
    var stageIt = stage.all(Effect.Perform.class).getFirst().task();
    healthyTwice("a");
    stage.on(new Event.Outcome(stageIt, new Ending.Done()));
    assertThat(stage.all(Effect.Prove.class)).hasSize(1);
  }

  @Test
  void aStoreThatHoldsAMachineBackIsNotAskedBeforeItsTime() {
    stage.proving("a", true).seen();
    healthyTwice("a");
    var proof = stage.all(Effect.Prove.class).getFirst().proof();
    Instant until = stage.now().plusSeconds(20);
    stage.on(new Event.Proved(proof, new ProveResult.Held(until), ""));
    assertThat(stage.beats(ofSeconds(18)).all(Effect.Prove.class)).isEmpty();
    stage.on(new Event.StoreLooked(new StoreState.Ready(1), false));
    assertThat(stage.all(Effect.Prove.class)).hasSize(1);
  }

  @Test
  void aWarmMachineIsAskedGuacdAboutEveryFiveSecondsAndAllAboutEveryFifteen() {
    stage.warm("a").seen();
    List<Effect.Probe> asked = stage.live(ofMinutes(2), HEALTHY);
    assertThat(asked).filteredOn(probe -> probe.depth() == Depth.GUACD).hasSizeBetween(14, 26);
    assertThat(asked).filteredOn(probe -> probe.depth() == Depth.FULL).hasSizeBetween(6, 10);
  }

  @Test
  void anAssignedMachineIsAskedGuacdOnly() {
    stage.assigned("a").seen();
    assertThat(stage.live(ofMinutes(1), HEALTHY))
        .hasSizeBetween(9, 16)
        .allMatch(probe -> probe.depth() == Depth.GUACD);
  }

  @Test
  void whatIsNotInServiceIsNotProbed() {
    stage.provisioning("a").parked("b").draining("c").condemned("d").seen();
    assertThat(stage.beats(ofSeconds(30)).probes()).isEmpty();
  }

  @Test
  void oneFailedProbeDoubtsAWarmMachineAtOnce() {
    stage.warm("a", "b").seen();
    stage.beats(ofSeconds(7));
    stage.probed("a", STRIKE, Depth.GUACD);
    assertThat(stage.deeds()).containsExactly("doubt a");
    assertThat(stage.probed("a", STRIKE, Depth.GUACD).deeds()).isEmpty();
  }

  @Test
  void theThirdStrikeBringsAPassAtOnce() {
    stage.warm("a", "b", "c", "d").seen();
    stage.beats(ofSeconds(7));
    stage.probed("a", STRIKE, Depth.GUACD).end(new Ending.Done());
    stage.pass(ofSeconds(1)).beat().probed("a", STRIKE, Depth.GUACD);
    assertThat(stage.deeds()).isEmpty();
    stage.pass(ofSeconds(1)).beat().probed("a", STRIKE, Depth.GUACD);
    assertThat(stage.deeds()).containsExactly("destroy a");
  }

  @Test
  void theProbersOwnFaultsAndMismatchesAreNoStrikes() {
    stage.warm("a").seen();
    stage.beats(ofSeconds(7));
    for (int i = 0; i < 5; i++) {
      assertThat(stage.probed("a", PROBER_FAULT, Depth.GUACD).deeds()).isEmpty();
      assertThat(stage.probed("a", MISCONFIGURED, Depth.FULL).deeds()).isEmpty();
    }
    assertThat(stage.noted()).doesNotContain("probe.failed");
  }

  @Test
  void anAnswerAboutAnEarlierBootIsNotHeard() {
    stage.warm("a").seen();
    var answer = new cupbear.scheduler.port.Probes.Answer(STRIKE, Depth.GUACD, "late");
    stage.on(
        new Event.Probed(new MachineId("a"), Stage.BEGAN.minusSeconds(9999), answer, ofSeconds(1)));
    assertThat(stage.deeds()).isEmpty();
  }

  @Test
  void healthyWarmMachinesAreVouchedForInOneGo() {
    stage.warm("a", "b").seen();
    stage.beats(ofSeconds(8));
    stage.probed("a", HEALTHY, Depth.GUACD);
    List<Effect> vouched = new ArrayList<>(stage.all(Effect.Vouch.class));
    stage.probed("b", HEALTHY, Depth.GUACD);
    assertThat(vouched).hasSize(1);
    assertThat(stage.all(Effect.Vouch.class)).isEmpty();
    stage.on(new Event.Vouched(true));
    assertThat(stage.beats(ofSeconds(2)).all(Effect.Vouch.class)).hasSize(1);
  }

  private void healthyTwice(String id) {
    stage.probed(id, HEALTHY, Depth.FIRST);
    stage.pass(ofSeconds(1)).beat().probed(id, HEALTHY, Depth.FULL);
  }

  @Test
  void aBootIsTimedWhenItIsFirstProven() {
    stage.proving("a", true).seen();
    healthyTwice("a");
    var proof = stage.all(Effect.Prove.class).getFirst().proof();
    stage.on(new Event.Proved(proof, new ProveResult.Warm(), ""));
    assertThat(stage.loop().memory().boots().figures(stage.booked("a").template()).p95())
        .isEqualTo(ofSeconds(61));
  }

  @Test
  void aBootThatMissedItsDeadlineIsTimedToo() {
    stage.provisioning("a").seen();
    for (int i = 0; i < 30 && stage.deeds().isEmpty(); i++) stage.tick();
    assertThat(stage.deeds()).containsExactly("destroy a");
    assertThat(stage.loop().memory().boots().figures(stage.booked("a").template()).p95())
        .isEqualTo(ofMinutes(3));
  }
}
