// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.FlyHooks;
import cupbear.fly.Outcome;
import cupbear.fly.Urgency;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.port.StoreTrouble;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is shown when nobody knows better, and what Fly's client adds. */
class FiguresTest {
  private final Registry registry = new Registry();
  private final AtomicLong nanos = new AtomicLong();

  private Scrape scrape() {
    return Scrape.of(registry.scrape());
  }

  @Test
  void anOldFigureIsNoFigure() {
    Region iad = new Region("iad");
    RegionMeters meters =
        new RegionMeters(registry.meters(), new PoolName("viewers"), iad, nanos::get);
    assertThat(scrape().value("warm_available")).as("before the first look").isNaN();
    Snapshot empty = new Snapshot(Instant.EPOCH, List.of(), 0, 3, List.of(), Marks.NONE);
    meters.tell(view(iad, empty));
    assertThat(scrape().value("warm_available")).isZero();
    assertThat(scrape().value("queue_depth")).isEqualTo(3);
    nanos.addAndGet(RegionMeters.BELIEVED.toNanos());
    assertThat(scrape().value("warm_available")).as("three looks later").isNaN();
    assertThat(scrape().value("queue_depth")).isNaN();
  }

  private static Fleet.RegionView view(Region region, Snapshot snapshot) {
    return new Fleet.RegionView(
        region, snapshot, Optional.empty(), Optional.empty(), Optional.empty());
  }

  @Test
  void whoDoesNotLeadKnowsNothingOfTheLoop() {
    new RegionMeters(registry.meters(), new PoolName("viewers"), new Region("iad"), nanos::get);
    assertThat(scrape().value("cupbear_leader")).isZero();
    assertThat(scrape().value("cupbear_pass_age_seconds")).isNaN();
    assertThat(scrape().value("cupbear_warm_target")).isNaN();
    assertThat(scrape().find("cupbear_findings")).allMatch(each -> Double.isNaN(each.value()));
  }

  @Test
  void aStoreThatAnswersAndRefusesToWriteIsDown() {
    PoolMeters pool = new PoolMeters(registry.meters(), new PoolName("viewers"), nanos::get);
    assertThat(scrape().value("cupbear_store_up")).as("before the first look").isNaN();
    pool.looked(true);
    pool.called("lead", null, Duration.ZERO);
    assertThat(scrape().value("cupbear_store_up")).isEqualTo(1);
    pool.called("lead", StoreTrouble.Kind.UNREACHABLE, Duration.ZERO);
    assertThat(scrape().value("cupbear_store_up")).as("it refused the leader").isZero();
    pool.called("claim", null, Duration.ZERO);
    assertThat(scrape().value("cupbear_store_up")).isZero();
    pool.called("lead", StoreTrouble.Kind.FENCED, Duration.ZERO);
    assertThat(scrape().value("cupbear_store_up")).as("it refused a former leader").isEqualTo(1);
    pool.called("lead", StoreTrouble.Kind.UNSURE, Duration.ZERO);
    nanos.addAndGet(RegionMeters.BELIEVED.toNanos());
    assertThat(scrape().value("cupbear_store_up")).as("this replica leads no more").isEqualTo(1);
    pool.looked(false);
    assertThat(scrape().value("cupbear_store_up")).isZero();
  }

  @Test
  void callsToFlyAreCountedAndCarryTheTraceOfWhatIsDone() {
    FlyCounts fly =
        new FlyCounts(registry.meters(), machine -> machine.equals("m1") ? "00-a-b-01" : null);
    Map<String, String> sent = new HashMap<>();
    FlyHooks.CallHook stop =
        fly.started(new FlyHooks.CallInfo(Action.STOP, "app", "m1", Urgency.URGENT));
    stop.sending(1, sent::put);
    stop.ended(
        new FlyHooks.Ending(
            Outcome.TIMED_OUT, 3, Duration.ofMillis(1500), Duration.ofMillis(80), ""));
    fly.started(new FlyHooks.CallInfo(Action.LIST_REGIONS, "app", "", Urgency.ROUTINE))
        .ended(new FlyHooks.Ending(Outcome.OK, 1, Duration.ZERO, Duration.ofMillis(40), ""));
    FlyHooks.CallHook watch =
        fly.started(new FlyHooks.CallInfo(Action.WAIT, "app", "m1", Urgency.ROUTINE));
    watch.ended(
        new FlyHooks.Ending(Outcome.TIMED_OUT, 2, Duration.ZERO, Duration.ofSeconds(58), ""));
    fly.started(new FlyHooks.CallInfo(Action.LIST_MACHINES, "app", "", Urgency.ROUTINE))
        .ended(new FlyHooks.Ending(Outcome.FORBIDDEN, 1, Duration.ZERO, Duration.ofMillis(9), ""));
    fly.breaker("api", true);
    assertThat(sent).containsEntry("traceparent", "00-a-b-01");
    Scrape now = scrape();
    assertThat(now.value("cupbear_fly_calls_total", "action", "stop", "outcome", "failed"))
        .isEqualTo(1);
    assertThat(now.value("cupbear_fly_calls_total", "action", "other", "outcome", "ok"))
        .isEqualTo(1);
    assertThat(now.value("cupbear_fly_calls_total", "action", "wait", "outcome", "ok"))
        .as("a Machine that went on running while it was watched")
        .isEqualTo(1);
    assertThat(now.value("cupbear_fly_calls_total", "action", "list_machines", "outcome", "denied"))
        .isEqualTo(1);
    assertThat(now.value("cupbear_fly_retries_total")).isEqualTo(2);
    assertThat(now.value("cupbear_fly_paced_seconds_total")).isEqualTo(1.5);
    assertThat(now.value("cupbear_fly_call_duration_seconds_count", "kind", "write")).isEqualTo(1);
    assertThat(now.value("cupbear_fly_breaker_open")).isEqualTo(1);
  }
}
