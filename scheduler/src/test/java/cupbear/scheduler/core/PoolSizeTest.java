// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import cupbear.scheduler.core.PoolSize.Load;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolSizeTest {
  private static final Load FIVE_A_MINUTE =
      new Load(5 / 60.0, Duration.ofSeconds(60), Duration.ofMinutes(20), 0.01);

  /** Published values of Erlang's B formula: load, then servers for 5 %, 1 % and 0.1 %. */
  @ParameterizedTest(name = "load {0}: {1}, {2}, {3}")
  @CsvSource({
    "5, 9, 11, 14",
    "10, 15, 18, 21",
    "20, 26, 30, 35",
    "35, 41, 47, 54",
    "50, 56, 64, 71"
  })
  void erlangBIsTheFewestServersThatTurnAwaySeldomEnough(
      double load, int five, int one, int tenth) {
    assertThat(PoolSize.erlangB(load, 0.05)).isEqualTo(five);
    assertThat(PoolSize.erlangB(load, 0.01)).isEqualTo(one);
    assertThat(PoolSize.erlangB(load, 0.001)).isEqualTo(tenth);
  }

  @ParameterizedTest(name = "{0} and 40 % more, rounded up: {1}")
  @CsvSource({"0, 0", "1, 2", "5, 7", "6, 9", "12, 17", "20, 28"})
  void theCeilingIsFortyPercentAboveTheFloor(int floor, int ceiling) {
    assertThat(PoolSize.ceiling(floor)).isEqualTo(ceiling);
  }

  @Test
  void sessionsAtOnceAreArrivalsTimesLength() {
    PoolSize size = PoolSize.of(FIVE_A_MINUTE);
    assertThat(size.concurrency()).isCloseTo(100, within(1e-9));
    assertThat(size.booting()).isCloseTo(5, within(1e-9));
  }

  @Test
  void theP90IsTheLeastThatNineTimesInTenIsNotExceeded() {
    int p90 = PoolSize.of(FIVE_A_MINUTE).concurrencyP90();
    assertThat(poissonUpTo(100, p90)).isGreaterThanOrEqualTo(0.9);
    assertThat(poissonUpTo(100, p90 - 1)).isLessThan(0.9);
  }

  @Test
  void theStockIsWhatTheSchedulerItselfWouldHold() {
    PoolSize size = PoolSize.of(FIVE_A_MINUTE);
    assertThat(size.stock()).isEqualTo(DemandRule.baseStock(5, 0.01, 1000));
    assertThat(size.stockWithSpill())
        .as("a miss that leaves is cheaper than one that waits here")
        .isLessThanOrEqualTo(size.stock());
  }

  @Test
  void anEmptyPoolFillsAtFlysPaceOfCreates() {
    PoolSize size = PoolSize.of(FIVE_A_MINUTE);
    assertThat(size.refill())
        .as("3 creates at once, %d more at one per second, one boot", size.stock() - 3)
        .isEqualTo(Duration.ofSeconds(60 + size.stock() - 3));
  }

  @ParameterizedTest(name = "{0}/s, boot {1}, session {2}, miss {3}: {4}")
  @CsvSource({
    "0, PT1M, PT1M, 0.01, arrivals",
    "1, PT0S, PT1M, 0.01, boot",
    "1, PT1M, PT0S, 0.01, session",
    "1, PT1M, PT1M, 0, miss",
    "1, PT1M, PT1M, 1, miss",
    "1000000, PT1M, PT1M, 0.01, Machines at once"
  })
  void whatMakesNoSenseIsRefused(
      double rate, Duration boot, Duration session, double miss, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Load(rate, boot, session, miss))
        .withMessageContaining(said);
  }

  private static double poissonUpTo(double mean, int most) {
    double sum = 0;
    double log = -mean;
    for (int n = 0; n <= most; n++) {
      sum += Math.exp(log);
      log += Math.log(mean) - Math.log(n + 1.0);
    }
    return sum;
  }
}
