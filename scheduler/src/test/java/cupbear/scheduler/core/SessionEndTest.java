// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.row;
import static cupbear.scheduler.core.Seen.assigned;
import static cupbear.scheduler.core.Seen.condemned;
import static cupbear.scheduler.core.Seen.draining;
import static cupbear.scheduler.core.Seen.parked;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Power;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a Machine when its session ends, and of one that is on its way out. */
class SessionEndTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource({"teardown", "parking", "leaving"})
  void plans(Pool row) {
    assertThat(Pool.said(row.plan())).isEqualTo(row.expectation());
  }

  static Stream<Pool> teardown() {
    return Stream.of(
        row("a session ended: the teardown playbook runs first")
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.DUE))
            .expect("teardown x session_ended"),
        row("the playbook is not run twice at once")
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.DUE))
            .expecting(ActionKind.TEARDOWN, "x"),
        row("after the playbook: stop, which wipes it")
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.DONE))
            .expect("stop x session_ended"),
        row("a pool without a playbook stops at once")
            .warm(3)
            .with(draining("x", Cleaning.DUE))
            .expect("stop x session_ended"),
        row("nobody was on it: no playbook, only the stop")
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.NOTHING))
            .expect("stop x surplus"),
        row("a failed step of the playbook condemns it")
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.FAILED))
            .expect("destroy x teardown_failed"),
        row("on its way down: waited for")
            .warm(3)
            .with(draining("x", Cleaning.DONE).power(Power.GOING_DOWN)),
        row("a drain that takes longer than 5 min: condemned")
            .warm(3)
            .with(draining("x", Cleaning.DONE).idle(Duration.ofMinutes(5)))
            .expect("destroy x drain_stuck"),
        row("after_session destroy: destroyed instead of recycled")
            .destroyAfterSession()
            .warm(3)
            .with(draining("x", Cleaning.DONE))
            .expect("destroy x after_session"),
        row("after_session destroy: the playbook still runs first")
            .destroyAfterSession()
            .playbook()
            .warm(3)
            .with(draining("x", Cleaning.DUE))
            .expect("teardown x session_ended"),
        row("after_session destroy: one that served nobody is recycled")
            .destroyAfterSession()
            .warm(3)
            .with(draining("x", Cleaning.NOTHING))
            .expect("stop x surplus"));
  }

  static Stream<Pool> parking() {
    return Stream.of(
        row("stopped and wiped: parked")
            .warm(3)
            .with(draining("x", Cleaning.DONE).power(Power.STOPPED))
            .expect("book x stopped stopped"),
        row("a stop from before its session is no wipe: it is stopped again")
            .warm(3)
            .with(draining("x", Cleaning.DONE).power(Power.STOPPED, Duration.ofHours(1)))
            .expect("stop x session_ended"),
        row("stopped, of an old template: out")
            .warm(3)
            .with(draining("x", Cleaning.DONE).power(Power.STOPPED).template("6"))
            .expect("destroy x old_template"),
        row("parked, and the pool is under target: started again")
            .warm(2)
            .with(parked("x"))
            .expect("start x under_target"),
        row("parked, and the pool is at its target: stays parked").warm(3).with(parked("x")),
        row("more than parked_max: the longest parked are destroyed")
            .bounds(3, 5, 1)
            .warm(3)
            .with(parked("x"), parked("y").idle(Duration.ofHours(2)))
            .expect("destroy y parked_max"),
        row("parked ones about to be started do not count against parked_max")
            .bounds(3, 5, 1)
            .warm(2)
            .with(parked("x"), parked("y").idle(Duration.ofHours(2)))
            .expect("start x under_target"),
        row("parked, of an old template: destroyed rather than started")
            .bounds(0, 5)
            .with(parked("x").template("6"))
            .expect("destroy x old_template"),
        row("parked, but somebody else started it: stopped")
            .warm(3)
            .with(parked("x").power(Power.RUNNING))
            .expect("stop x started_by_others"),
        row("parked and being started by us: left alone")
            .warm(2)
            .with(parked("x").power(Power.COMING_UP))
            .expecting(ActionKind.START, "x"));
  }

  static Stream<Pool> leaving() {
    return Stream.of(
        row("condemned: destroyed")
            .warm(3)
            .with(condemned("x", false))
            .expect("destroy x condemned"),
        row("condemned under a session: its gateway gets a renew window to hear of it")
            .warm(3)
            .with(condemned("x", true).idle(Duration.ofSeconds(19))),
        row("condemned under a session, and the window is over: destroyed")
            .warm(3)
            .with(condemned("x", true).idle(Duration.ofSeconds(20)))
            .expect("destroy x condemned"),
        row("condemned and destroyed: forgotten")
            .warm(3)
            .with(condemned("x", false).power(Power.DESTROYED))
            .expect("book x gone gone"),
        row("condemned and missing from one list: not forgotten yet")
            .warm(3)
            .with(condemned("x", false).missing(1)),
        row("condemned and missing from two lists: forgotten")
            .warm(3)
            .with(condemned("x", false).missing(2))
            .expect("book x gone gone"),
        row("an assigned Machine that is well is only ever tagged")
            .warm(3)
            .with(assigned("x").idle(Duration.ofHours(9)).template("6").tagged(Map.of()))
            .expect("retag x tag_drift"));
  }
}
