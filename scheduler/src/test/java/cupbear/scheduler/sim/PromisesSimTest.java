// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.sim.SimSettings.FaultLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The promises of the product, held in hundreds of worlds. A failure names the seed and the command
 * that tells its story; see docs/simulation.md.
 */
class PromisesSimTest {
  private static final int WILD_SEEDS = 300;

  @Test
  void everyPromiseHoldsWhateverGoesWrong() {
    SimReport report = Simulation.run(Seeds.wild(1, WILD_SEEDS), progress -> {});

    assertThat(report.violations()).isEmpty();
    assertThat(report.served()).isGreaterThan(WILD_SEEDS);
    assertThat(report.checks()).isGreaterThan(report.requests());
  }

  @Test
  void everyDemandIsServedUnderEveryLevelOfFaults() {
    List<SimSettings> runs = new ArrayList<>();
    for (FaultLevel faults : FaultLevel.values()) {
      for (Demand demand : Demand.values()) {
        for (int schedulers = 1; schedulers <= 3; schedulers++) {
          runs.add(
              new SimSettings(
                  1000 + runs.size(), Duration.ofMinutes(45), faults, schedulers, demand));
        }
      }
    }

    SimReport report = Simulation.run(runs, progress -> {});

    assertThat(report.violations()).isEmpty();
  }

  @Test
  void withoutFaultsNobodyIsTurnedAwayInASteadyTrickle() {
    List<SimSettings> runs = new ArrayList<>();
    for (long seed = 1; seed <= 5; seed++) {
      runs.add(new SimSettings(seed, Duration.ofHours(1), FaultLevel.NONE, 2, Demand.STEADY));
    }

    SimReport report = Simulation.run(runs, progress -> {});

    assertThat(report.violations()).isEmpty();
    assertThat(report.sessionsLost()).isZero();
    assertThat(report.servedWarm()).isGreaterThan(0.8);
  }
}
