// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a loop wants to be woken: neither late for anything, nor again and again for nothing. */
class LoopWakingTest {
  private static final Duration TICK = Duration.ofMillis(1);

  @Test
  void nothingIsDueBeforeItAsksToBeWoken() {
    Stage stage = settled(8);
    for (int i = 0; i < 200; i++) {
      Instant wake = stage.loop().wakeAt();
      if (wake.isAfter(stage.now().plus(TICK))) {
        stage.pass(Duration.between(stage.now(), wake).minus(TICK)).beat();
        assertThat(stage.effects()).as("before %s", wake).isEmpty();
      }
      stage.pass(Duration.between(stage.now(), wake)).beat();
      answerAll(stage);
    }
  }

  @Test
  void itIsNotWokenAgainAndAgainForNothing() {
    Stage stage = settled(8);
    boolean idle = false;
    for (int i = 0; i < 200; i++) {
      Instant wake = stage.loop().wakeAt();
      assertThat(wake).isAfter(stage.now());
      stage.pass(Duration.between(stage.now(), wake)).beat();
      // Once may be: there was something to look at, and nothing came of it.
      assertThat(idle && stage.effects().isEmpty()).as("again at %s", wake).isFalse();
      idle = stage.effects().isEmpty();
      answerAll(stage);
    }
  }

  @Test
  void wokenOnlyWhenItAsksItProbesAsOftenAsUnderASteadyBeat() {
    int steady = probesWithin(settled(12), Duration.ofMinutes(5), Duration.ofMillis(250));
    int asked = probesWithin(settled(12), Duration.ofMinutes(5), null);
    assertThat(asked).isBetween(steady, steady + steady / 10);
  }

  @Test
  void aQuietPoolOfSixtyIsWokenForItsProbesAndLittleElse() {
    Stage stage = settled(60);
    Instant until = stage.now().plus(Duration.ofMinutes(1));
    int woken = 0;
    int probes = 0;
    while (stage.loop().wakeAt().isBefore(until)) {
      stage.pass(Duration.between(stage.now(), stage.loop().wakeAt())).beat();
      probes += stage.probes().size();
      answerAll(stage);
      woken++;
    }
    // Besides the probes: proofs and leases once a second, an observation and a pass every 5 s.
    assertThat(woken).isLessThanOrEqualTo(probes + 2 * 60 + 3 * 12);
  }

  @Test
  void aLoopThatHasSeenNothingYetWantsToBeWokenForItsNextLook() {
    RegionLoop loop = new Stage().loop();
    assertThat(loop.wakeAt()).isBeforeOrEqualTo(Stage.BEGAN.plusSeconds(15));
  }

  /** A pool at its floor, observed, probed and with nothing under way. */
  private static Stage settled(int machines) {
    String[] ids = IntStream.range(0, machines).mapToObj(i -> "m" + i).toArray(String[]::new);
    Stage stage = new Stage().bounds(machines, machines).warm(ids);
    stage.beat();
    stage.seen();
    answerAll(stage);
    return stage;
  }

  private static int probesWithin(Stage stage, Duration length, @Nullable Duration beat) {
    Instant until = stage.now().plus(length);
    int probes = 0;
    while (stage.now().isBefore(until)) {
      Duration wait = beat == null ? Duration.between(stage.now(), stage.loop().wakeAt()) : beat;
      stage.pass(wait).beat();
      probes += stage.probes().size();
      answerAll(stage);
    }
    return probes;
  }

  /** Everything that was asked for is answered at once, and so is what that leads to. */
  private static void answerAll(Stage stage) {
    List<Effect> open = new ArrayList<>(stage.effects());
    while (!open.isEmpty()) {
      switch (open.removeFirst()) {
        case Effect.Probe probe ->
            stage.probed(probe.machine().value(), Verdict.HEALTHY, probe.depth());
        case Effect.Vouch any -> stage.on(new Event.Vouched(true));
        case Effect.Expire any -> stage.on(new Event.Expired(0));
        case Effect.Observe any -> stage.seen();
        case Effect.Perform perform ->
            stage.on(new Event.Outcome(perform.task(), new Ending.Done()));
        case Effect.Prove prove ->
            stage.on(new Event.Proved(prove.proof(), new ProveResult.Warm(), ""));
        case Effect.Watch watch -> stage.on(new Event.Watched(watch.machine(), null));
        case Effect.Look any -> stage.on(new Event.Looked(Map.of(), false));
        case Effect.Report any -> throw new IllegalStateException("nobody asked for a report");
        case Effect.LookAtStore any -> throw new IllegalStateException("the store is well");
        case Effect.Breach breach -> throw new IllegalStateException(breach.what());
        case Effect.Note any -> {
          continue;
        }
        case Effect.Publish any -> {
          continue;
        }
      }
      open.addAll(stage.effects());
    }
  }
}
