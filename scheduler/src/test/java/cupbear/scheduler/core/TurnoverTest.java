// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.row;
import static cupbear.scheduler.core.Seen.assigned;
import static cupbear.scheduler.core.Seen.draining;
import static cupbear.scheduler.core.Seen.parked;
import static cupbear.scheduler.core.Seen.proving;
import static cupbear.scheduler.core.Seen.warm;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Finding.Kind;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Power;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Spikes, the slow way down, template rolls and money. */
class TurnoverTest {
  private static final Duration TEN = Duration.ofMinutes(10);

  @ParameterizedTest(name = "{0}")
  @MethodSource({"spikes", "slowlyDown", "rolls", "money"})
  void plans(Pool row) {
    assertThat(Pool.said(row.plan())).isEqualTo(row.expectation());
  }

  static Stream<Pool> spikes() {
    return Stream.of(
        row("ten waiting is no spike yet").warm(3).queue(10, Duration.ZERO),
        row("more than ten waiting: up to warm_max at once, parked ones in parallel")
            .warm(3)
            .with(parked("p1"), parked("p2"))
            .queue(11, Duration.ZERO)
            .expect("start p1 spike", "start p2 spike"),
        row("queue p95 of 0.4 s is no spike yet").warm(3).queue(0, Duration.ofMillis(400)),
        row("queue p95 above 0.4 s: up to warm_max at once")
            .warm(3)
            .with(parked("p1"))
            .queue(0, Duration.ofMillis(401))
            .expect("start p1 spike", "create viewers-iad-7-001 spike"),
        row("nothing leaves during a spike, old template or not")
            .warm(4)
            .with(warm("x").template("6").idle(Duration.ofHours(14)))
            .queue(11, Duration.ZERO));
  }

  static Stream<Pool> slowlyDown() {
    return Stream.of(
        row("the largest target of the last minutes holds")
            .warm(4)
            .with(warm("m").manual().idle(TEN))
            .held(5),
        row("a peak's Machine idle for less than 10 min stays")
            .warm(3)
            .with(warm("m").manual().idle(TEN.minusSeconds(1))),
        row("once concurrency is below warm_min, a peak's Machine idle for 10 min is parked")
            .warm(3)
            .with(warm("m").manual().idle(TEN))
            .expect("drain m cost_guard"),
        row("with more in use it is parked all the same, as surplus")
            .warm(3)
            .with(warm("m").manual().idle(TEN))
            .with(assigned("a"), assigned("b"), assigned("c"))
            .expect("drain m surplus"),
        row("peak Machines leave only down to the target")
            .warm(1)
            .with(warm("m").manual().idle(TEN), warm("n").manual().idle(TEN))
            .with(warm("o").manual().idle(TEN.plusSeconds(1)))
            .expect("drain o cost_guard"),
        row("above warm_max, peak Machines leave before those of the floor")
            .warm(5)
            .with(warm("m").manual().idle(Duration.ofSeconds(1)))
            .expect("drain m surplus"));
  }

  static Stream<Pool> rolls() {
    return Stream.of(
        row("a new template at the floor: new ones come up before old ones leave")
            .bounds(4, 8)
            .with(old("a"), old("b"), old("c"), old("d"))
            .expect("create viewers-iad-7-001 rolling"),
        row("the next batch leaves when its replacement is warm")
            .bounds(4, 8)
            .with(old("a"), old("b"), old("c"), old("d"), warm("n"))
            .expect("create viewers-iad-7-001 rolling", "drain a old_template"),
        row("a batch is a quarter of the idle ones")
            .bounds(2, 8)
            .with(old("a"), old("b"), old("c"), old("d"), old("e"), old("f"), old("g"), old("h"))
            .expect("drain a old_template", "drain b old_template"),
        row("one batch at a time: the next waits until the last has stopped")
            .bounds(2, 8)
            .with(old("a"), old("b"), old("c"), old("d"), old("e"), old("f"))
            .with(
                draining("y", Cleaning.NOTHING).template("6").power(Power.GOING_DOWN),
                draining("z", Cleaning.NOTHING).template("6").power(Power.GOING_DOWN)),
        row("never below warm_min: a roll whose new Machines do not come up stands still")
            .bounds(4, 8)
            .with(old("a"), old("b"), old("c"), old("d"), proving("n")),
        row("without room between the bounds there is room for one more")
            .bounds(2, 2)
            .with(old("a"), old("b"))
            .expect("create viewers-iad-7-001 rolling"),
        row("and then the old one leaves, not the new one")
            .bounds(2, 2)
            .with(old("a"), old("b"), warm("n").manual().idle(Duration.ofHours(1)))
            .expect("drain a surplus"),
        row("assigned Machines of the old template are left to their sessions")
            .warm(3)
            .with(assigned("x").template("6")),
        row("an older version than the one running is a template like any other")
            .bounds(1, 2)
            .with(warm("x").template("8"), warm("n"))
            .expect("drain x old_template"));
  }

  static Stream<Pool> money() {
    return Stream.of(
        row("the budget caps warm_max: no more are made than it pays")
            .budget(4.0, 1.0)
            .with(assigned("a"), assigned("b"))
            .expect(
                "create viewers-iad-7-001 under_target", "create viewers-iad-7-002 under_target")
            .finding(Kind.BUDGET_LIMITED),
        row("over budget: the oldest idle ones leave")
            .budget(4.0, 1.0)
            .warm(3)
            .with(assigned("a"), assigned("b"))
            .expect("drain w1 surplus")
            .finding(Kind.BUDGET_LIMITED),
        row("a spike does not outspend the budget")
            .budget(4.0, 1.0)
            .warm(3)
            .queue(50, Duration.ZERO)
            .expect("create viewers-iad-7-001 spike")
            .finding(Kind.BUDGET_LIMITED),
        row("a budget that pays for all changes nothing").budget(5.0, 1.0).warm(3),
        row("an external hint raises the target at once")
            .warm(3)
            .demand(new Demand(0, 0, 1.0, 0, 0, Duration.ZERO, 0))
            .expect(
                "create viewers-iad-7-001 under_target", "create viewers-iad-7-002 under_target"));
  }

  private static Seen old(String id) {
    return warm(id).template("6");
  }
}
