// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.ProbeSchedule.Asked;
import cupbear.scheduler.core.ProbeSchedule.Due;
import cupbear.scheduler.core.ProbeSchedule.Need;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of a Machine next, and when. */
class ProbeScheduleTest {
  private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");
  private static final MachineId A = new MachineId("a");
  private static final Health WELL = new Health(0, 5, true, NOW, NOW);
  private static final Health DOUBTED = new Health(1, 0, true, NOW, NOW);

  @Test
  void aNewBootIsAskedEverythingAtOnce() {
    assertThat(next(Standing.PROVING, Health.UNKNOWN, Asked.NOTHING))
        .isEqualTo(new Due(Need.FIRST, Instant.MIN));
  }

  @Test
  void whileItFailsItIsAskedEverySecond() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, false, NOW);
    assertThat(next(Standing.PROVING, Health.UNKNOWN, asked))
        .isEqualTo(new Due(Need.FIRST, NOW.plusSeconds(1)));
  }

  @Test
  void theSecondRoundNeedsNoPlugin() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    Health once = new Health(0, 1, true, NOW, NOW);
    assertThat(next(Standing.PROVING, once, asked))
        .isEqualTo(new Due(Need.FULL, NOW.plusSeconds(1)));
  }

  @Test
  void aReadyOneThatWaitsForItsCredentialsIsAskedCalmly() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    assertThat(next(Standing.PROVING, WELL, asked).at()).isAfter(NOW.plusSeconds(3));
  }

  @Test
  void aDoubtedOneIsAskedInFullEverySecond() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    assertThat(next(Standing.WARM, DOUBTED, asked))
        .isEqualTo(new Due(Need.FULL, NOW.plusSeconds(1)));
  }

  @Test
  void aWarmOneIsAskedGuacdInBetween() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    Due due = next(Standing.WARM, WELL, asked);
    assertThat(due.need()).isEqualTo(Need.GUACD);
    assertThat(due.at()).isBetween(NOW.plusSeconds(4), NOW.plusSeconds(6));
  }

  @Test
  void aWarmOneIsAskedInFullWhenThatIsDue() {
    Asked asked =
        Asked.NOTHING
            .with(Need.FIRST, true, NOW.minusSeconds(15))
            .with(Need.GUACD, true, NOW.plusSeconds(1));
    Due due = next(Standing.WARM, WELL, asked);
    assertThat(due.need()).isEqualTo(Need.FULL);
    assertThat(due.at()).isBetween(NOW.minusSeconds(3), NOW.plusSeconds(3));
  }

  @Test
  void whoeverIsOnAMachineIsNotDisturbed() {
    assertThat(next(Standing.ASSIGNED, DOUBTED, Asked.NOTHING).need()).isEqualTo(Need.GUACD);
  }

  @ParameterizedTest
  @EnumSource(
      value = Standing.class,
      names = {"PROVISIONING", "DRAINING", "PARKED", "CONDEMNED", "UNKNOWN"})
  void whatIsNotInServiceIsNotAsked(Standing standing) {
    assertThat(ProbeSchedule.next(A, standing, Health.UNKNOWN, Asked.NOTHING, Policy.DEFAULT))
        .isEmpty();
  }

  @Test
  void machinesMadeTogetherAreNotProbedTogether() {
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    Set<Instant> moments = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      MachineId machine = new MachineId("m" + i);
      ProbeSchedule.next(machine, Standing.WARM, WELL, asked, Policy.DEFAULT)
          .ifPresent(due -> moments.add(due.at()));
    }
    assertThat(moments).hasSizeGreaterThan(40);
    Duration spread =
        Duration.between(
            moments.stream().min(Instant::compareTo).orElseThrow(),
            moments.stream().max(Instant::compareTo).orElseThrow());
    assertThat(spread).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void howOftenIsForThePolicyToSay() {
    Policy.Rhythm slow =
        new Policy.Rhythm(Duration.ofSeconds(3), Duration.ofSeconds(20), Duration.ofSeconds(60), 0);
    Policy usual = Policy.DEFAULT;
    Policy policy =
        new Policy(
            usual.pass(), usual.trust(), usual.probing(), slow, usual.sizing(), usual.turnover());
    Asked asked = Asked.NOTHING.with(Need.FIRST, true, NOW);
    assertThat(ProbeSchedule.next(A, Standing.WARM, WELL, asked, policy))
        .contains(new Due(Need.GUACD, NOW.plusSeconds(20)));
    assertThat(ProbeSchedule.next(A, Standing.WARM, DOUBTED, asked, policy))
        .contains(new Due(Need.FULL, NOW.plusSeconds(3)));
    Asked lately = asked.with(Need.GUACD, true, NOW.plusSeconds(45));
    assertThat(ProbeSchedule.next(A, Standing.WARM, WELL, lately, policy))
        .contains(new Due(Need.FULL, NOW.plusSeconds(60)));
  }

  private static Due next(Standing standing, Health health, Asked asked) {
    return ProbeSchedule.next(A, standing, health, asked, Policy.DEFAULT).orElseThrow();
  }
}
