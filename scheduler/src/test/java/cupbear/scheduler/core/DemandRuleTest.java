// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired.Bounds;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Target;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DemandRuleTest {
  private static final Policy.Sizing SIZING = Policy.Sizing.DEFAULT;
  private static final BootFigures BOOTS =
      new BootFigures(50, Duration.ofSeconds(30), Duration.ofSeconds(40));

  /** Known values of the Poisson tail: mean, then w for a miss of 5 %, 1 % and 0.1 %. */
  @ParameterizedTest(name = "mean {0}: {1}, {2}, {3}")
  @CsvSource({
    "1, 4, 5, 6",
    "2, 6, 7, 9",
    "5, 10, 12, 14",
    "10, 16, 19, 22",
    "15, 23, 26, 29",
    "30, 40, 44, 49"
  })
  void baseStockIsTheSmallestThatMissesSeldomEnough(double mean, int five, int one, int tenth) {
    assertThat(DemandRule.baseStock(mean, 0.05, 1000)).isEqualTo(five);
    assertThat(DemandRule.baseStock(mean, 0.01, 1000)).isEqualTo(one);
    assertThat(DemandRule.baseStock(mean, 0.001, 1000)).isEqualTo(tenth);
  }

  @ParameterizedTest(name = "mean {0}, at most {1}: {2}")
  @CsvSource({"0, 9, 0", "-1, 9, 0", "5, 4, 4", "5, 0, 0", "2000, 5000, 2106"})
  void baseStockStaysWithinItsLimitAndBearsLargeMeans(double mean, int most, int stock) {
    assertThat(DemandRule.baseStock(mean, 0.01, most)).isEqualTo(stock);
  }

  record Row(String name, Demand demand, int ceiling, int warm, int fresh, boolean spike) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> targets() {
    return Stream.of(
        new Row("without evidence: warm_min", demand(0, 0, 0, 0), 40, 5, 5, false),
        new Row("little demand: still warm_min", demand(0, 1, 0, 0), 40, 5, 5, false),
        new Row("the fast window sees a rise first", demand(30, 30, 0, 0), 40, 30, 30, false),
        new Row("the slow window remembers longer", demand(0, 300, 0, 0), 40, 27, 27, false),
        new Row("demand beyond warm_max: warm_max", demand(600, 600, 0, 0), 40, 40, 40, false),
        new Row("a hint raises the estimate", demand(0, 0, 1, 0), 60, 44, 44, false),
        new Row("a hint never lowers it", demand(30, 30, 0.1, 0), 40, 30, 30, false),
        new Row("the largest target of late holds", demand(0, 0, 0, 17), 40, 17, 5, false),
        new Row("a held target does not pass warm_max", demand(0, 0, 0, 99), 40, 40, 5, false),
        new Row("a budget below warm_min wins", demand(0, 0, 0, 0), 3, 3, 3, false),
        new Row("queue depth 10: no spike", queue(10, 0), 40, 5, 5, false),
        new Row("queue depth 11: warm_max at once", queue(11, 0), 40, 40, 40, true),
        new Row("queue p95 0.4 s: no spike", queue(0, 400), 40, 5, 5, false),
        new Row("queue p95 0.401 s: warm_max at once", queue(0, 401), 40, 40, 40, true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("targets")
  void target(Row row) {
    Target target = DemandRule.target(row.demand, BOOTS, new Bounds(5, 60, 9), row.ceiling, SIZING);
    assertThat(target.warm()).as(target.why()).isEqualTo(row.warm);
    assertThat(target.fresh()).isEqualTo(row.fresh);
    assertThat(target.spike()).isEqualTo(row.spike);
    assertThat(target.why()).isNotBlank();
  }

  @Test
  void theRateIsAnUpperEstimate() {
    double rate = DemandRule.upperRate(demand(100, 0, 0, 0), SIZING);
    assertThat(rate).isCloseTo((100 + 12.8) / 60, within(1e-9));
  }

  @Test
  void withoutMeasuredBootsTheLeadTimeIsAssumed() {
    Demand some = demand(10, 10, 0, 0);
    Bounds bounds = new Bounds(0, 60, 9);
    int assumed = DemandRule.target(some, BootFigures.NONE, bounds, 60, SIZING).warm();
    int measured = DemandRule.target(some, BOOTS, bounds, 60, SIZING).warm();
    assertThat(assumed).isEqualTo(24);
    assertThat(measured).isEqualTo(15);
  }

  private static Demand demand(long fast, long slow, double hint, int held) {
    return new Demand(fast, slow, hint, 0, 0, Duration.ZERO, held);
  }

  private static Demand queue(int depth, long p95Millis) {
    return new Demand(0, 0, 0, 0, depth, Duration.ofMillis(p95Millis), 0);
  }
}
