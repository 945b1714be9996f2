// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.NOW;
import static cupbear.scheduler.core.Pool.row;
import static cupbear.scheduler.core.Seen.assigned;
import static cupbear.scheduler.core.Seen.condemned;
import static cupbear.scheduler.core.Seen.parked;
import static cupbear.scheduler.core.Seen.proving;
import static cupbear.scheduler.core.Seen.provisioning;
import static cupbear.scheduler.core.Seen.unknown;
import static cupbear.scheduler.core.Seen.warm;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Finding.Kind;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Power;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a regional pool is kept: the rows of the control loop's table, and what they imply. */
class KeepingThePoolTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String FIRST = "viewers-iad-7-001";
  private static final String SECOND = "viewers-iad-7-002";
  private static final String THIRD = "viewers-iad-7-003";

  @ParameterizedTest(name = "{0}")
  @MethodSource({"filling", "keeping", "doubtfulViews", "capacity", "strangers"})
  void plans(Pool row) {
    assertThat(Pool.said(row.plan())).isEqualTo(row.expectation());
  }

  static Stream<Pool> filling() {
    return Stream.of(
        row("an empty pool is created up to warm_min")
            .expect(create(FIRST), create(SECOND), create(THIRD)),
        row("parked Machines are started before any is created, the last stopped first")
            .with(parked("p1").idle(MINUTE.multipliedBy(9)), parked("p2").idle(MINUTE))
            .expect("start p2 under_target", "start p1 under_target", create(FIRST)),
        row("a parked Machine whose start was just refused is passed over")
            .bounds(1, 2)
            .with(parked("p1"))
            .refused(ActionKind.START, "p1")
            .expect(create(FIRST)),
        row("a parked Machine on a doubtful host is not started")
            .bounds(1, 2)
            .with(parked("p1").hostBad(Duration.ofSeconds(9)))
            .expect(create(FIRST))
            .finding(Kind.HOST_DOUBTFUL),
        row("Machines coming up count as present").warm(1).with(provisioning("a"), proving("b")),
        row("our own creates not yet in the list count as present")
            .warm(1)
            .expecting(ActionKind.CREATE, FIRST)
            .expecting(ActionKind.CREATE, SECOND),
        row("a create whose deadline has passed counts no more, and its name is free again")
            .warm(2)
            .expired(ActionKind.CREATE, FIRST)
            .expect(create(FIRST)),
        row("a create that was refused counts no more; the next takes another name")
            .warm(2)
            .refused(ActionKind.CREATE, FIRST)
            .expect(create(SECOND)),
        row("a create in the books and not in the list counts once, and is not gone yet")
            .warm(1)
            .with(provisioning("a").missing(4).age(Duration.ofSeconds(20)))
            .expecting(ActionKind.CREATE, "name-a")
            .expect(create(FIRST)),
        row("a start under way counts as coming up and is not repeated")
            .warm(2)
            .with(parked("p1"))
            .expecting(ActionKind.START, "p1"),
        row("assigned Machines do not count: warm_min means unassigned ones")
            .warm(2)
            .with(assigned("a1"), assigned("a2"))
            .expect(create(FIRST)),
        row("a cordoned Machine does not count as warm")
            .warm(3)
            .cordoned("w1")
            .expect(create(FIRST)),
        row("max_actions reached: the plan is partial and the loop comes back at once")
            .bounds(5, 6)
            .maxActions(2)
            .expect(create(FIRST), create(SECOND))
            .partial());
  }

  static Stream<Pool> keeping() {
    return Stream.of(
        row("exactly warm_min: nothing to do").warm(3),
        row("between warm_min and warm_max: kept idling, however long")
            .warm(4)
            .with(warm("w5").idle(Duration.ofHours(3))),
        row("above warm_max: the oldest idle ones are drained")
            .warm(7)
            .expect("drain w1 surplus", "drain w2 surplus"),
        row("above warm_max: an assigned Machine is never the one, however old")
            .warm(6)
            .with(assigned("a1").idle(Duration.ofHours(30)))
            .expect("drain w1 surplus"),
        row("a drain under way is not repeated, and its Machine is not counted as warm")
            .warm(6)
            .expecting(ActionKind.DRAIN, "w1"),
        row("a fallen tag is written again")
            .warm(2)
            .with(warm("x").tagged(Map.of("state", "proving")))
            .expect("retag x tag_drift"),
        row("an idle Machine over max_idle_age waits for its replacement to be warm")
            .warm(2)
            .with(warm("x").idle(Duration.ofHours(14)))
            .expect("create " + FIRST + " rolling"),
        row("an idle Machine over max_idle_age is recycled once there is one more than warm_min")
            .warm(3)
            .with(warm("x").idle(Duration.ofHours(14)))
            .expect("drain x max_idle_age"),
        row("over max_idle_age, one at a time")
            .bounds(1, 5)
            .warm(2)
            .with(warm("x").idle(Duration.ofHours(14)), warm("y").idle(Duration.ofHours(15)))
            .expect("drain y max_idle_age"),
        row("over max_idle_age, one at a time: the next waits until the last is stopped")
            .bounds(1, 5)
            .warm(2)
            .with(warm("x").idle(Duration.ofHours(14)))
            .with(
                Seen.draining("y", cupbear.scheduler.model.MachineState.Cleaning.NOTHING)
                    .age(Duration.ofHours(14))
                    .power(Power.GOING_DOWN)),
        row("an operator's drain is obeyed even below warm_min, and replaced")
            .warm(3)
            .operatorDrains("w2")
            .expect(create(FIRST), "drain w2 operator"));
  }

  static Stream<Pool> doubtfulViews() {
    return Stream.of(
        row("no list: no action").listing(null, NOW).finding(Kind.NO_VIEW),
        row("no snapshot of the store: no action").listing(NOW, null).finding(Kind.NO_VIEW),
        row("a list of three ticks ago still counts")
            .bounds(1, 1)
            .listing(NOW.minusSeconds(15), NOW)
            .expect(create(FIRST)),
        row("a list older than three ticks: no action")
            .listing(NOW.minusSeconds(16), NOW)
            .finding(Kind.STALE_VIEW),
        row("a snapshot older than three ticks: no action")
            .listing(NOW, NOW.minusSeconds(16))
            .finding(Kind.STALE_VIEW),
        row("collapsed list: no creation, even of an empty pool")
            .collapsed(9, 9)
            .finding(Kind.LIST_COLLAPSED),
        row("collapsed list: no destruction, and nothing that vanished is judged")
            .with(condemned("c1", false), warm("w1").missing(9), assigned("a1").missing(9))
            .collapsed(9, 9)
            .finding(Kind.LIST_COLLAPSED),
        row("collapsed list: nothing is drained")
            .warm(7)
            .collapsed(20, 13)
            .finding(Kind.LIST_COLLAPSED),
        row("collapsed list: a parked Machine that it shows may still be started")
            .bounds(1, 2)
            .with(parked("p1"))
            .collapsed(9, 8)
            .expect("start p1 under_target")
            .finding(Kind.LIST_COLLAPSED),
        row("collapsed list: a warm Machine that exited is at least not given out")
            .warm(3)
            .with(warm("x").exited(Duration.ofSeconds(5)))
            .collapsed(9, 5)
            .expect("doubt x exited")
            .finding(Kind.LIST_COLLAPSED));
  }

  static Stream<Pool> capacity() {
    return Stream.of(
        row("two failed creates are bad luck: go on")
            .bounds(2, 2)
            .capacity(2, null)
            .expect(create(FIRST), create(SECOND)),
        row("three failed creates: back off, tell, and let the demand spill")
            .capacity(3, NOW.plusSeconds(1))
            .finding(Kind.CAPACITY_SHORT)
            .unmet(3),
        row("after the back-off one create tries the region")
            .capacity(3, NOW)
            .expect(create(FIRST))
            .finding(Kind.CAPACITY_SHORT)
            .unmet(2),
        row("while that one is under way, no second")
            .capacity(3, NOW)
            .expecting(ActionKind.CREATE, FIRST)
            .finding(Kind.CAPACITY_SHORT)
            .unmet(2),
        row("a region short of capacity still starts what it has parked")
            .bounds(1, 2)
            .with(parked("p1"))
            .capacity(5, NOW.plusSeconds(9))
            .expect("start p1 under_target")
            .finding(Kind.CAPACITY_SHORT),
        row("demand that spilled in from a neighbour raises the target")
            .warm(3)
            .demand(new Demand(0, 0, 0, 4, 0, Duration.ZERO, 0))
            .expect(create(FIRST)));
  }

  static Stream<Pool> strangers() {
    return Stream.of(
        row("Machines without our tag are counted and never touched")
            .warm(3)
            .foreign(4)
            .finding(Kind.FOREIGN_MACHINES),
        row("a Machine with our tag in no book counts as present at first")
            .warm(2)
            .stray("s1", Duration.ofSeconds(5))
            .finding(Kind.UNKNOWN_MACHINES),
        row("a Machine with our tag in no book for a minute is taken in as draining")
            .warm(2)
            .stray("s1", MINUTE)
            .expect("adopt s1 unknown_state")
            .finding(Kind.UNKNOWN_MACHINES),
        row("the Machine of a create under way is no stranger, and counts once")
            .warm(2)
            .strayNamed("s1", FIRST, MINUTE)
            .expecting(ActionKind.CREATE, FIRST)
            .finding(Kind.UNKNOWN_MACHINES),
        row("a Machine whose state the store lost is left alone")
            .warm(3)
            .with(unknown("u1").strikes(3), unknown("u2").exited(Duration.ofSeconds(1))));
  }

  @Test
  void whatTheFloorNeedsIsKeptAlwaysAndWhatAPeakBringsIsNot() {
    Plan plan = row("spike").bounds(2, 4).warm(1).queue(11, Duration.ZERO).plan();
    List<Keep> keeps =
        plan.actions().stream().map(action -> ((Action.Create) action).keep()).toList();
    assertThat(keeps).containsExactly(Keep.ALWAYS, Keep.MANUAL, Keep.MANUAL);
  }

  private static String create(String name) {
    return "create " + name + " under_target";
  }
}
