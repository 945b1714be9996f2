// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Finding;
import org.junit.jupiter.api.Test;

/** When the loop looks at the world, and what it does without a view. */
class LoopObservingTest {
  private final Stage stage = new Stage();

  @Test
  void looksAtOnceWhenItBegins() {
    RegionLoop loop = new RegionLoop(Stage.MANDATE, stage.declaration(), Memory.NONE, () -> 0.5);
    assertThat(loop.on(new Event.Beat(), Stage.BEGAN)).contains(new Effect.Observe());
  }

  @Test
  void looksEveryTickAndNotInBetween() {
    stage.warm("a").seen();
    assertThat(stage.beats(ofSeconds(4)).all(Effect.Observe.class)).isEmpty();
    assertThat(stage.beats(ofSeconds(2)).all(Effect.Observe.class)).hasSize(1);
  }

  @Test
  void asksForOneObservationAtATime() {
    stage.seen();
    stage.beats(ofSeconds(6));
    assertThat(stage.beats(ofSeconds(8)).all(Effect.Observe.class)).isEmpty();
  }

  @Test
  void anObservationThatNeverComesBackIsAskedForAgain() {
    stage.seen();
    stage.beats(ofSeconds(6));
    assertThat(stage.beats(ofSeconds(20)).all(Effect.Observe.class)).isNotEmpty();
  }

  @Test
  void aGrantSomewhereElseWakesItWithinASecond() {
    stage.warm("a", "b").seen();
    stage.pass(ofSeconds(2)).on(new Event.Happened(stage.entry("session.granted")));
    assertThat(stage.all(Effect.Observe.class)).hasSize(1);
  }

  @Test
  void aStormOfNewsDoesNotMakeItLookInABusyLoop() {
    stage.warm("a").seen();
    int looks = 0;
    for (int i = 0; i < 100; i++) {
      stage.pass(ofMillis(50)).on(new Event.Happened(stage.entry("session.queued")));
      looks += stage.all(Effect.Observe.class).size();
      if (!stage.all(Effect.Observe.class).isEmpty()) stage.seen();
    }
    assertThat(looks).isBetween(4, 6);
  }

  @Test
  void itsOwnLinesAreNoNews() {
    stage.warm("a").seen();
    stage.pass(ofSeconds(2)).on(new Event.Happened(stage.entry("action.create")));
    assertThat(stage.all(Effect.Observe.class)).isEmpty();
  }

  @Test
  void afterAnOverflowItLooksAnew() {
    stage.warm("a").seen();
    stage.pass(ofSeconds(2)).on(new Event.Overflowed(3));
    assertThat(stage.all(Effect.Observe.class)).hasSize(1);
    assertThat(stage.all(Effect.Breach.class)).hasSize(1);
  }

  @Test
  void withoutAListItOnlyProbes() {
    stage.bounds(3, 5).warm("a");
    stage.on(new Event.Seen(null, stage.snapshot(), false));
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.beats(ofSeconds(10)).probes()).isNotEmpty();
  }

  @Test
  void anOldViewMovesNothing() {
    stage.bounds(3, 5).warm("a").seen();
    stage.end(new Ending.NotLeading());
    stage.pass(ofSeconds(20)).on(new Event.Declared(stage.declaration()));
    assertThat(stage.deeds()).isEmpty();
    assertThat(stage.finding(Finding.Kind.STALE_VIEW)).isTrue();
  }
}
