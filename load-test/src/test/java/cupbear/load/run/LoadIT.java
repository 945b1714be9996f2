// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.report.LoadReport;
import cupbear.load.stack.StackPlan;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A few seconds of what {@code cupbear load} does for minutes. Judges what is promised, whatever
 * the machine is busy with; how fast it was is for the command to say.
 */
class LoadIT {
  private static final LoadRun.Wish SMALL =
      new LoadRun.Wish(6, Duration.ofSeconds(10), Duration.ofSeconds(1), 1);

  private static OwnStack own;

  @BeforeAll
  static void start() throws Exception {
    own = OwnStack.start(OwnStack.plan(SMALL.sessions(), StackPlan.Store.STANDALONE));
  }

  @AfterAll
  static void end() {
    own.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"steady", "replica-kill", "redis-wipe"})
  void promisesAreKept(String name) throws Exception {
    Scenario scenario = Scenarios.named(name).orElseThrow();
    LoadReport.Scenario seen = new LoadRun(SMALL, own.target(), Silent.HERE).play(scenario);

    assertThat(seen.promises()).filteredOn(each -> !each.kept()).isEmpty();
    assertThat(seen.promises()).as("each was asked for").noneMatch(each -> each.checks() == 0);
    LoadReport.Counts counts = seen.counts();
    assertThat(counts.granted()).as("served of %s", counts).isPositive();
    assertThat(counts.granted() + counts.refused() + counts.unanswered() + counts.dropped())
        .as("everybody who came is accounted for: %s", counts)
        .isEqualTo(counts.arrivals());
    assertThat(counts.ended() + counts.lost()).as("of %s", counts).isEqualTo(counts.granted());
    assertThat(seen.marks()).hasSize(scenario.troubles().size());
    assertThat(seen.bands()).isNotEmpty();
    assertThat(own.stack().view().awaitWhole(Rules.WHOLE_WITHIN)).as("whole again").isTrue();
  }
}
