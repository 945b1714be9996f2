// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrikesTest {
  private static final Policy.Probing PROBING = Policy.Probing.DEFAULT;

  /** h healthy, s strike, m misconfigured, f the prober's own fault. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "one healthy round does not prove a boot, h, 0, false, false, false",
    "two healthy rounds do, hh, 0, true, false, false",
    "failures while booting are no strikes, sss, 0, false, false, true",
    "one failure after it was proven makes it doubtful, hhs, 1, false, false, true",
    "one healthy round after a failure does not bring it back, hhsh, 0, false, false, false",
    "two healthy rounds bring it back, hhshh, 0, true, false, false",
    "two failures in a row do not strike it out, hhss, 2, false, false, true",
    "three failures in a row do, hhsss, 3, false, true, true",
    "three failures with a healthy round between do not, hhsshs, 1, false, false, true",
    "the prober's own fault never counts, hhssf, 2, false, false, true",
    "the prober's own fault does not hide a strike, hhssfs, 3, false, true, true",
    "a wrong configuration is no strike, hhmmm, 0, true, false, false",
    "a wrong configuration is no proof, mm, 0, false, false, true",
  })
  void after(
      String name, String rounds, int strikes, boolean proven, boolean out, boolean doubtful) {
    Health health = Health.UNKNOWN;
    for (int i = 0; i < rounds.length(); i++) {
      health = Strikes.after(health, verdict(rounds.charAt(i)), Pool.NOW);
    }
    assertThat(health.strikes()).as(name).isEqualTo(strikes);
    assertThat(Strikes.isProven(health, PROBING)).as("proven").isEqualTo(proven);
    assertThat(Strikes.isOut(health, PROBING)).as("out").isEqualTo(out);
    assertThat(Strikes.isDoubtful(health)).as("doubtful").isEqualTo(doubtful);
  }

  @Test
  void aMachineTakenOverFromAnotherLeaderIsStruckOutByThreeFailures() {
    Health health = Health.TAKEN_OVER;
    assertThat(Strikes.isDoubtful(health)).isFalse();
    for (int i = 0; i < 3; i++) health = Strikes.after(health, Verdict.STRIKE, Pool.NOW);
    assertThat(Strikes.isOut(health, PROBING)).isTrue();
  }

  @ParameterizedTest(name = "{0} of {1} failing: brake {2}")
  @CsvSource({
    "2, 3, false",
    "3, 9, true",
    "3, 10, false",
    "4, 13, true",
    "3, 3, true",
    "0, 0, false"
  })
  void brake(int failing, int probed, boolean on) {
    List<Machine> machines = new ArrayList<>();
    for (int i = 0; i < failing; i++) machines.add(Seen.warm("f" + i).strikes(1).machine());
    for (int i = failing; i < probed; i++) machines.add(Seen.warm("h" + i).machine());
    machines.add(Seen.warm("stale").strikes(3, Duration.ofMinutes(5)).machine());
    machines.add(Seen.proving("booting").machine());
    Brake brake = Brake.of(machines, PROBING, Pool.NOW);
    assertThat(brake).isEqualTo(new Brake(probed, failing, on));
  }

  @Test
  void aProvingMachineTurnsWarmOnlyWhenNothingIsMissing() {
    Pool plain = Pool.row("plain");
    Pool staging = Pool.row("staging").credentials();
    Seen ready = Seen.proving("x", false).answered(Duration.ZERO);
    assertThat(ready(ready, plain)).isTrue();
    assertThat(ready(ready, staging)).as("credentials are not staged").isFalse();
    assertThat(ready(Seen.proving("x", true).answered(Duration.ZERO), staging)).isTrue();
    assertThat(ready(ready, Pool.row("out").operatorDrains("x"))).as("wanted out").isFalse();
    assertThat(ready(Seen.proving("x").strikes(1), plain)).as("struck").isFalse();
    assertThat(ready(Seen.warm("x"), plain)).as("warm already").isFalse();
    Seen stopped = Seen.proving("x").answered(Duration.ZERO).power(Power.STOPPED);
    assertThat(ready(stopped, plain)).as("stopped").isFalse();
    Seen doubtful = Seen.proving("x").answered(Duration.ZERO).hostBad(Duration.ZERO);
    assertThat(ready(doubtful, plain)).as("host not ok").isFalse();
  }

  private static boolean ready(Seen seen, Pool pool) {
    return Readiness.mayTurnWarm(seen.machine(), pool.desired(), PROBING);
  }

  private static Verdict verdict(char round) {
    return switch (round) {
      case 'h' -> Verdict.HEALTHY;
      case 's' -> Verdict.STRIKE;
      case 'm' -> Verdict.MISCONFIGURED;
      default -> Verdict.PROBER_FAULT;
    };
  }
}
