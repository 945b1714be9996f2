// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.row;
import static cupbear.scheduler.core.Seen.assigned;
import static cupbear.scheduler.core.Seen.parked;
import static cupbear.scheduler.core.Seen.proving;
import static cupbear.scheduler.core.Seen.provisioning;
import static cupbear.scheduler.core.Seen.warm;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Finding.Kind;
import cupbear.scheduler.model.Power;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What probes, hosts, exits and boot times do to a pool. */
class HealthRulesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String REFILL = "create viewers-iad-7-001 under_target";

  @ParameterizedTest(name = "{0}")
  @MethodSource({"probes", "brake", "hosts", "boots", "exits", "vanishings"})
  void plans(Pool row) {
    assertThat(Pool.said(row.plan())).isEqualTo(row.expectation());
  }

  static Stream<Pool> probes() {
    return Stream.of(
        row("one failed probe makes a warm Machine unassignable, and nothing more")
            .warm(3)
            .with(warm("x").strikes(1))
            .expect("doubt x unproven"),
        row("a doubted Machine is on its way back: it is not replaced yet")
            .warm(2)
            .with(proving("x").strikes(2)),
        row("three failures in a row destroy it, and it is replaced in the same pass")
            .warm(2)
            .with(proving("x").strikes(3))
            .expect(REFILL, "destroy x struck_out"),
        row("three failures in a row destroy it, and it is not replaced above target")
            .warm(4)
            .with(proving("x").strikes(3))
            .expect("destroy x struck_out"),
        row("a warm Machine with three failures is condemned in the store and destroyed")
            .warm(3)
            .with(warm("x").strikes(3))
            .expect("destroy x struck_out"),
        row("an assigned Machine with two failures is left alone")
            .warm(3)
            .with(assigned("x").strikes(2)),
        row("an assigned Machine with three failures is lost, and its session is told")
            .warm(3)
            .with(assigned("x").strikes(3))
            .expect("lose x struck_out")
            .finding(Kind.SESSION_LOST),
        row("strikes of a prober that went blind meanwhile destroy nothing")
            .warm(3)
            .with(proving("x").strikes(3, Duration.ofSeconds(30))),
        row("a destruction under way is not repeated, and its Machine not counted")
            .warm(2)
            .with(proving("x").strikes(3))
            .expecting(ActionKind.DESTROY, "x")
            .expect(REFILL),
        row("a proving Machine gets its one-time credentials")
            .credentials()
            .warm(2)
            .with(proving("x", false))
            .expect("stage x credentials_missing"),
        row("credentials are given once").credentials().warm(2).with(proving("x", true)),
        row("credentials under way are not given twice")
            .credentials()
            .warm(2)
            .with(proving("x", false))
            .expecting(ActionKind.STAGE, "x"),
        row("a pool without credentials stages none").warm(2).with(proving("x", false)));
  }

  static Stream<Pool> brake() {
    return Stream.of(
        row("more than 30 % of the probed fail, and three: no destruction, the rest serves")
            .bounds(6, 9)
            .warm(6)
            .with(proving("x").strikes(3), proving("y").strikes(3), proving("z").strikes(3))
            .finding(Kind.BRAKE_ON),
        row("more than 30 % fail, but only two: no brake")
            .bounds(3, 9)
            .warm(3)
            .with(proving("x").strikes(3), proving("y").strikes(3))
            .expect("destroy x struck_out", "destroy y struck_out"),
        row("three fail, but no more than 30 %: no brake")
            .bounds(7, 9)
            .warm(7)
            .with(proving("x").strikes(3), proving("y").strikes(3), proving("z").strikes(3))
            .expect("destroy x struck_out", "destroy y struck_out", "destroy z struck_out"),
        row("brake on: warm ones that fail are still made unassignable")
            .warm(1)
            .with(warm("x").strikes(1), warm("y").strikes(1), warm("z").strikes(1))
            .expect("doubt x unproven", "doubt y unproven", "doubt z unproven")
            .finding(Kind.BRAKE_ON),
        row("brake on: nobody's session is called lost because of probes")
            .warm(3)
            .with(assigned("x").strikes(3), assigned("y").strikes(3), assigned("z").strikes(3))
            .finding(Kind.BRAKE_ON),
        row("brake on: a session whose Machine exited is still told")
            .warm(3)
            .with(proving("x").strikes(3), proving("y").strikes(3), proving("z").strikes(3))
            .with(assigned("a").exited(Duration.ofSeconds(4)))
            .expect("lose a exited")
            .finding(Kind.BRAKE_ON, Kind.SESSION_LOST),
        row("brake on: surplus stays")
            .bounds(1, 2)
            .warm(4)
            .with(proving("x").strikes(2), proving("y").strikes(2), proving("z").strikes(2))
            .finding(Kind.BRAKE_ON),
        row("booting Machines do not pull the brake: their probes are meant to fail")
            .warm(2)
            .with(proving("x"), proving("y"), proving("z"))
            .with(warm("s").strikes(3))
            .expect("destroy s struck_out"));
  }

  static Stream<Pool> hosts() {
    return Stream.of(
        row("a host that is not ok makes its Machine unassignable at once")
            .warm(3)
            .with(warm("x").hostBad(Duration.ofSeconds(1)))
            .expect("doubt x host_doubtful")
            .finding(Kind.HOST_DOUBTFUL),
        row("a host that is not ok for less than 60 s is waited for")
            .warm(2)
            .with(proving("x").hostBad(Duration.ofSeconds(59)))
            .finding(Kind.HOST_DOUBTFUL),
        row("a host that is not ok for 60 s: replaced")
            .warm(2)
            .with(proving("x").hostBad(MINUTE))
            .expect(REFILL, "destroy x host_doubtful")
            .finding(Kind.HOST_DOUBTFUL),
        row("a parked Machine on such a host is given up as well")
            .warm(3)
            .with(parked("x").hostBad(MINUTE))
            .expect("destroy x host_doubtful")
            .finding(Kind.HOST_DOUBTFUL),
        row("a live session that answers outweighs the word on its host")
            .warm(3)
            .with(assigned("x").hostBad(MINUTE.multipliedBy(9)).answered(Duration.ofSeconds(4)))
            .finding(Kind.HOST_DOUBTFUL),
        row("a session on such a host that does not answer either is lost")
            .warm(3)
            .with(assigned("x").hostBad(MINUTE).answered(Duration.ofSeconds(11)))
            .expect("lose x host_doubtful")
            .finding(Kind.HOST_DOUBTFUL, Kind.SESSION_LOST));
  }

  static Stream<Pool> boots() {
    Duration three = MINUTE.multipliedBy(3);
    return Stream.of(
        row("Fly says started: proving begins")
            .warm(2)
            .with(provisioning("x").power(Power.RUNNING))
            .expect("book x booted booted"),
        row("not proven just before the boot deadline of 3 min: waited for")
            .warm(2)
            .with(proving("x").age(three.minusSeconds(1))),
        row("not proven within the boot deadline: condemned and replaced")
            .warm(2)
            .with(proving("x").age(three))
            .expect(REFILL, "destroy x boot_deadline"),
        row("not even started within the boot deadline: condemned and replaced")
            .warm(2)
            .with(provisioning("x").age(three))
            .expect(REFILL, "destroy x boot_deadline"),
        row("with enough boots measured the deadline is twice their p99")
            .boots(20, Duration.ofSeconds(30))
            .warm(2)
            .with(proving("x").age(MINUTE), proving("y").age(MINUTE.minusSeconds(1)))
            .expect("destroy x boot_deadline"),
        row("a few boots measured do not shorten the deadline")
            .boots(19, Duration.ofSeconds(30))
            .warm(2)
            .with(proving("x").age(MINUTE)),
        row("a Machine doubted hours after its boot has the same time to come back")
            .warm(2)
            .with(proving("x").age(Duration.ofHours(5)).idle(MINUTE)),
        row("a Machine that flaps without end is given up all the same")
            .warm(3)
            .with(proving("x").age(Duration.ofHours(5)).idle(three).strikes(1))
            .expect("destroy x boot_deadline"),
        row("a launch that failed: condemned and replaced")
            .warm(2)
            .with(provisioning("x").power(Power.FAILED))
            .expect(REFILL, "destroy x launch_failed"));
  }

  static Stream<Pool> exits() {
    return Stream.of(
        row("an exit that nobody asked for: the warm count drops, replaced in the same pass")
            .warm(2)
            .with(warm("x").exited(Duration.ofSeconds(3)))
            .expect(REFILL, "destroy x exited"),
        row("it exited and Fly restarted it: still not the Machine that was proven")
            .warm(3)
            .with(warm("x").exited(Duration.ofSeconds(8)).answered(Duration.ofSeconds(1)))
            .expect("destroy x exited"),
        row("an exit before its last boot is an old story")
            .warm(2)
            .with(warm("x").exited(Duration.ofHours(2))),
        row("an exit under a session: the session is lost")
            .warm(3)
            .with(assigned("x").exited(Duration.ofSeconds(3)))
            .expect("lose x exited")
            .finding(Kind.SESSION_LOST),
        row("stopped by somebody else: condemned and replaced")
            .warm(2)
            .with(warm("x").power(Power.STOPPED, Duration.ofSeconds(9)))
            .expect(REFILL, "destroy x stopped_by_others"),
        row("a stop before its last boot is the word of a lagging list")
            .warm(2)
            .with(warm("x").power(Power.STOPPED, Duration.ofHours(1))),
        row("a Machine that answers is not down, whatever the list says")
            .warm(2)
            .with(warm("x").power(Power.STOPPED).answered(Duration.ofSeconds(5))),
        row("a list that still shows a starting Machine as stopped is given time")
            .warm(2)
            .with(provisioning("x").power(Power.STOPPED)));
  }

  static Stream<Pool> vanishings() {
    return Stream.of(
        row("missing from one list: unassignable, not made twice")
            .warm(2)
            .with(warm("x").missing(1))
            .expect("doubt x gone"),
        row("missing from two lists: gone and replaced")
            .warm(2)
            .with(warm("x").missing(2))
            .expect(REFILL, "destroy x gone"),
        row("missing, but it answers probes: kept, and said so")
            .warm(2)
            .with(warm("x").missing(4).answered(Duration.ofSeconds(5)))
            .finding(Kind.LIST_DISAGREES),
        row("destroyed by somebody else: gone and replaced at once")
            .warm(2)
            .with(warm("x").power(Power.DESTROYED))
            .expect(REFILL, "destroy x gone"),
        row("a session whose Machine is missing from one list is left alone")
            .warm(3)
            .with(assigned("x").missing(1)),
        row("a session whose Machine vanished is lost")
            .warm(3)
            .with(assigned("x").missing(2).strikes(1))
            .expect("lose x gone")
            .finding(Kind.SESSION_LOST),
        row("a session whose Machine was not asked since it vanished is left alone")
            .warm(3)
            .with(assigned("x").missing(2)),
        row("a create accepted a minute ago that no list shows is gone")
            .warm(2)
            .with(provisioning("x").missing(12).age(MINUTE))
            .expect(REFILL, "destroy x gone"));
  }
}
