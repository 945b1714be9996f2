// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.OperatorView.MachineView;
import cupbear.load.stack.OperatorView.RegionView;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How pools grow, shrink, move and roll, with one scheduler; each test has its pool. */
class SizeIT {
  private static final String PRESET =
      """
      {"switches":{"stuck_created_rate":0,"cold_resume_rate":0,"cold_image_first":false,
       "rate_limit_factor":20},
       "faults":[{"kind":"capacity.region","region":"ord"}]}
      """;

  /** Evidence of demand is forgotten within seconds, and so are peaks. */
  private static final String FORGETFUL =
      "demand: {miss_target: 0.5, boot_assumed: 1s, fast_window: 1s, slow_window: 2s,"
          + " spike_depth: 1, hold: 2s, idle_before_drain: 2s}";

  private static Rig rig;
  private static StoreEye store;

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(1)
                .withPreset(PRESET)
                .withPools(
                    Pool.of("narrow", new Bounds("iad", 3, 3)),
                    Pool.of("peak", new Bounds("lhr", 1, 3)).with(FORGETFUL),
                    Pool.of("roll", new Bounds("fra", 2, 3)),
                    Pool.of("spill", new Bounds("ord", 1, 1), new Bounds("dfw", 0, 2))));
    store = new StoreEye(rig.stack());
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @AfterEach
  void promisesAreKept() {
    rig.ledger().assertKept();
    rig.stack().plan().pools().forEach(pool -> store.assertOnlyWarmOnesGranted(pool.name()));
  }

  @Test
  void surplusIsDrainedOldestFirstAndParked() throws Exception {
    rig.whole("narrow");
    List<MachineView> idle = new ArrayList<>(rig.machines("narrow"));
    assertThat(idle).hasSize(3);
    rig.declare(
        rig.stack()
            .plan()
            .withPool("narrow", pool -> pool.withRegions(List.of(new Bounds("iad", 1, 1)))));
    rig.until("two are parked", () -> rig.ids("narrow", "parked").size() == 2);

    Set<String> parked = rig.ids("narrow", "parked");
    String kept = rig.ids("narrow", "warm").iterator().next();
    Instant youngest = idle.stream().map(MachineView::since).max(Instant::compareTo).orElseThrow();
    assertThat(idle)
        .filteredOn(each -> each.id().equals(kept))
        .extracting(MachineView::since)
        .containsExactly(youngest);
    for (String each : parked) {
      assertThat(rig.truth(each).getString("state")).isEqualTo("stopped");
      rig.until("tags follow: parked", () -> rig.tag(each, "state").equals("parked"));
    }
  }

  @Test
  void peakStartsParkedMachinesAndParksThemAgain() throws Exception {
    // A first peak fills the shelf: nothing is parked yet, so Machines are made for it.
    rig.whole("peak");
    peakOfThree();
    rig.until("what the peak brought is parked", SizeIT::isQuiet);

    Set<String> parked = rig.ids("peak", "parked");
    Set<String> served = peakOfThree();
    served.retainAll(parked);
    assertThat(served).as("served by Machines that were parked").isNotEmpty();
    rig.until("parked again", SizeIT::isQuiet);
    for (String each : rig.ids("peak", "parked")) {
      rig.until("stopped at Fly", () -> rig.truth(each).getString("state").equals("stopped"));
    }
  }

  /** One is warm, as many as there must be, and all others are parked. */
  private static boolean isQuiet() throws InterruptedException {
    int parked = rig.ids("peak", "parked").size();
    boolean oneWarm = rig.ids("peak", "warm").size() == 1;
    return oneWarm && parked >= 2 && rig.machines("peak").size() == parked + 1;
  }

  /** More viewers at once than there are warm Machines; gives back who served them. */
  private static Set<String> peakOfThree() throws InterruptedException {
    List<Future<Viewing>> coming = new ArrayList<>();
    for (int i = 0; i < 3; i++) coming.add(rig.begin("peak"));
    Set<String> machines = new HashSet<>();
    List<Viewing> all = new ArrayList<>();
    for (Future<Viewing> each : coming) all.add(Rig.get(each));
    for (Viewing each : all) {
      machines.add(Rig.machineOf(each));
      rig.leave(each);
    }
    assertThat(machines).as("three viewers at once are on three Machines").hasSize(3);
    return machines;
  }

  @Test
  void newTemplateRollsThePoolAndNeverBelowWarmMin() throws Exception {
    rig.whole("roll");
    Viewing standing = rig.look("roll");
    String inUse = Rig.machineOf(standing);
    rig.whole("roll");
    rig.declare(rig.stack().plan().withPool("roll", pool -> pool.withVersion("2")));
    rig.until(
        "all idle ones are of the new version",
        () ->
            rig.regions("roll").stream().allMatch(RegionView::isWhole)
                && rig.machines("roll").stream()
                    .filter(each -> !each.id().equals(inUse))
                    .allMatch(each -> each.version().equals("2")));
    assertThat(standing.disturbed()).as("whoever looks goes on looking").isNull();
    assertThat(rig.machines("roll"))
        .filteredOn(each -> each.id().equals(inUse))
        .extracting(MachineView::version, MachineView::state)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("1", "assigned"));
    assertThat(store.idleLeftAfterEachRetirement("roll"))
        .as("idle Machines left whenever one was taken out")
        .isNotEmpty()
        .allMatch(left -> left >= 2);

    Viewing next = rig.look("roll");
    assertThat(rig.machines("roll"))
        .filteredOn(each -> each.id().equals(Rig.machineOf(next)))
        .extracting(MachineView::version)
        .containsExactly("2");
    rig.leave(next);
    rig.leave(standing);
    rig.gone(inUse, "roll");
    rig.whole("roll");
    Set<String> versions =
        rig.machines("roll").stream().map(MachineView::version).collect(Collectors.toSet());
    assertThat(versions).containsExactly("2");
  }

  @Test
  void demandSpillsToTheNextRegionWhileOneIsShort() throws Exception {
    rig.until("the shortage is reported", () -> rig.finds("spill", "ord", "capacity_short"));
    rig.until("the neighbour holds one for it", () -> warm("spill", "dfw") >= 1);
    Viewing viewing = rig.look("spill", "ord");
    assertThat(viewing.session().grant().region()).isEqualTo("dfw");
    rig.leave(viewing);

    int tried = creates();
    rig.until("it asks again, more and more slowly", () -> creates() > tried);
    Rig.get(rig.stack().fly().faults().clearAll());
    rig.until("capacity is back, and so is the pool", () -> warm("spill", "ord") >= 1);
    rig.until("and nothing is short", () -> !rig.finds("spill", "ord", "capacity_short"));
  }

  private static int warm(String pool, String region) throws InterruptedException {
    return rig.regions(pool).stream()
        .filter(each -> each.region().equals(region))
        .mapToInt(each -> each.count("warm"))
        .sum();
  }

  private static int creates() throws InterruptedException {
    JsonObject info = Rig.get(rig.stack().fly().faults().info());
    return info.getJsonObject("calls").getInteger("create", 0);
  }
}
