// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.BootTimes;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.StoreTrouble;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of what the loop has set going. */
class LoopEndingsTest {
  private final Stage stage = new Stage();

  @Test
  void onceItsMandateIsLostItIsSilent() {
    stage.bounds(3, 5).proving("a", true).on(new Event.MandateLost("renewal late"));
    assertThat(stage.effects()).isEmpty();
    assertThat(stage.seen().effects()).isEmpty();
    assertThat(stage.beats(ofSeconds(60)).effects()).isEmpty();
  }

  @Test
  void aRefusalByTheStoreBringsAFreshLook() {
    stage.warm("a", "b").bounds(0, 1).seen();
    assertThat(stage.deeds()).containsExactly("drain a");
    stage.pass(ofSeconds(2)).end(new Ending.Refused("it is assigned"));
    assertThat(stage.all(Effect.Observe.class)).hasSize(1);
    assertThat(stage.deeds()).isEmpty();
  }

  @Test
  void aStoreThatDidNotAnswerIsAskedAgainLater() {
    stage.warm("a", "b").bounds(0, 1).seen();
    stage.end(new Ending.StoreFailed(StoreTrouble.Kind.UNREACHABLE, "down"));
    assertThat(stage.tick().deeds()).containsExactly("drain a");
  }

  @Test
  void everyDeedIsNotedWithItsReason() {
    stage.bounds(1, 5).seen().end(new Ending.Done());
    assertThat(stage.all(Effect.Note.class))
        .flatExtracting(Effect.Note::entries)
        .anySatisfy(entry -> {
          assertThat(entry.kind()).isEqualTo("action.create");
          assertThat(entry.data()).containsEntry("reason", "under_target");
          assertThat(entry.data()).containsEntry("outcome", "done");
        });
  }

  @Test
  void aFindingIsNotedWhenItComesAndWhenItGoes() {
    stage.listed("x", Power.RUNNING, "iad", Map.of()).seen();
    assertThat(stage.noted()).contains("finding.raised");
    stage.tick();
    assertThat(stage.noted()).doesNotContain("finding.raised");
    stage.gone("x").tick();
    assertThat(stage.noted()).contains("finding.cleared");
  }

  @Test
  void memoryHoldsTheNewestBook() {
    stage.warm("a").seen();
    stage.stands("a", new MachineState.Condemned(stage.now(), false)).tick();
    assertThat(stage.loop().memory().machines())
        .singleElement()
        .satisfies(each -> assertThat(each.state()).isInstanceOf(MachineState.Condemned.class));
    assertThat(stage.loop().memory().boots()).isEqualTo(BootTimes.NONE);
  }
}
