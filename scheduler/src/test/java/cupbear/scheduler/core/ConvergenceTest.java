// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans followed one after the other in a world that obeys at once: they come to rest. */
class ConvergenceTest {
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final Duration BOOT = Duration.ofSeconds(30);

  private final Map<MachineId, Machine> machines = new TreeMap<>();
  private Instant now = NOW;
  private int made;
  private int leastWarm;
  private Demand demand = Demand.NONE;

  @ParameterizedTest(name = "warm_min {0}, warm_max {1}")
  @CsvSource({"1, 1", "2, 2", "4, 8", "20, 28", "0, 3"})
  void anEmptyPoolFillsToItsFloorAndRests(int min, int max) {
    run(desired("7", min, max), Duration.ofMinutes(5));
    assertThat(count(Standing.WARM)).isEqualTo(min);
    assertThat(made).as("creates").isEqualTo(min);
    assertRests(desired("7", min, max));
  }

  @ParameterizedTest(name = "warm_min {0}, warm_max {1}")
  @CsvSource({"1, 1", "2, 2", "4, 8", "20, 28"})
  void aNewTemplateRollsThroughWithoutEverGoingBelowTheFloor(int min, int max) {
    run(desired("7", min, max), Duration.ofMinutes(5));
    leastWarm = Integer.MAX_VALUE;
    run(desired("8", min, max), Duration.ofHours(1));
    assertThat(machines.values())
        .allMatch(machine -> machine.template().equals(new TemplateVersion("8")));
    assertThat(leastWarm).as("least warm").isGreaterThanOrEqualTo(min);
    assertThat(made).as("one new for each old, and room").isBetween(2 * min, 3 * min + 1);
    assertRests(desired("8", min, max));
  }

  @ParameterizedTest(name = "warm_min {0}, warm_max {1}")
  @CsvSource({"1, 1", "3, 5"})
  void idleMachinesAreRenewedOneByOneForDays(int min, int max) {
    run(desired("7", min, max), Duration.ofMinutes(5));
    leastWarm = Integer.MAX_VALUE;
    run(desired("7", min, max), Duration.ofHours(40));
    assertThat(leastWarm).as("least warm").isGreaterThanOrEqualTo(min);
    assertThat(count(Standing.WARM)).isBetween(min, min + 1);
    assertThat(machines.values())
        .filteredOn(machine -> machine.state().standing() == Standing.WARM)
        .allMatch(machine -> machine.bootedAt().isAfter(now.minus(Duration.ofHours(14))));
    assertThat(made).as("parked ones are started again instead").isLessThanOrEqualTo(min + 1);
  }

  @Test
  void aSpikeFillsToWarmMaxAndLeavesParkedMachinesBehind() {
    Desired desired = desired("7", 3, 9);
    run(desired, Duration.ofMinutes(5));
    demand = new Demand(0, 0, 0, 0, 11, Duration.ZERO, 0);
    run(desired, Duration.ofMinutes(1));
    assertThat(count(Standing.WARM)).isEqualTo(9);
    demand = Demand.NONE;
    run(desired, Duration.ofMinutes(9));
    assertThat(count(Standing.WARM)).as("idle for less than ten minutes").isEqualTo(9);
    run(desired, Duration.ofMinutes(5));
    assertThat(count(Standing.WARM)).isEqualTo(3);
    assertThat(count(Standing.PARKED)).as("parked_max").isEqualTo(4);
    assertRests(desired);
  }

  private void assertRests(Desired desired) {
    assertThat(plan(desired).actions()).as("nothing left to do").isEmpty();
  }

  private int count(Standing standing) {
    return (int)
        machines.values().stream().filter(each -> each.state().standing() == standing).count();
  }

  private void run(Desired desired, Duration length) {
    for (Instant end = now.plus(length); now.isBefore(end); now = now.plus(STEP)) {
      plan(desired).actions().forEach(this::perform);
      machines.replaceAll((id, machine) -> lived(machine, desired));
      leastWarm = Math.min(leastWarm, count(Standing.WARM));
    }
  }

  private Plan plan(Desired desired) {
    Observed seen =
        new Observed(
            Pool.NAME,
            Pool.IAD,
            Listing.fresh(now),
            new ArrayList<>(machines.values()),
            List.of(),
            0,
            List.of(),
            demand,
            Capacity.AMPLE,
            BootFigures.NONE);
    return Reconciler.plan(seen, desired, Policy.DEFAULT, now);
  }

  private void perform(Action action) {
    switch (action) {
      case Action.Create create ->
          boot(
              new MachineId("m%05d".formatted(++made)),
              create.name(),
              create.template(),
              create.keep());
      case Action.Start start ->
          boot(start.machine(), machine(start).name(), machine(start).template(), start.keep());
      case Action.Drain drain ->
          move(drain, new MachineState.Draining(now, Cleaning.NOTHING), Power.RUNNING);
      case Action.Stop stop -> move(stop, machine(stop).state(), Power.STOPPED);
      case Action.Destroy destroy ->
          move(destroy, new MachineState.Condemned(now, false), Power.DESTROYED);
      case Action.Book book -> book(book);
      case Action.Retag retag -> {}
      case Action.Stage any -> throw new AssertionError(any);
      case Action.Doubt any -> throw new AssertionError(any);
      case Action.Teardown any -> throw new AssertionError(any);
      case Action.Lose any -> throw new AssertionError(any);
      case Action.Adopt any -> throw new AssertionError(any);
    }
  }

  private void book(Action.Book book) {
    switch (book.progress()) {
      case BOOTED -> move(book, new MachineState.Proving(now, true), Power.RUNNING);
      case STOPPED -> move(book, new MachineState.Parked(now), Power.STOPPED);
      case GONE -> machines.remove(book.machine());
    }
  }

  /** A step of time: boots end, and probes find all well. */
  private Machine lived(Machine machine, Desired desired) {
    boolean up = !now.isBefore(machine.bootedAt().plus(BOOT));
    Power power =
        machine.fly().power() == Power.COMING_UP && up ? Power.RUNNING : machine.fly().power();
    Health health = new Health(0, 2, true, now, now);
    Machine next = with(machine, machine.state(), power, health);
    return Readiness.mayTurnWarm(next, desired, Policy.Probing.DEFAULT)
        ? with(next, new MachineState.Warm(now), power, health)
        : next;
  }

  private Machine machine(Action.OnMachine action) {
    Machine machine = machines.get(action.machine());
    if (machine == null) throw new AssertionError(action);
    return machine;
  }

  private void move(Action.OnMachine action, MachineState state, Power power) {
    machines.put(action.machine(), with(machine(action), state, power, Health.UNKNOWN));
  }

  private void boot(MachineId id, String name, TemplateVersion template, Keep keep) {
    Sighting fly = new Sighting(Power.COMING_UP, null, 0, null, null, null, Map.of());
    MachineState state = new MachineState.Provisioning(now);
    machines.put(id, new Machine(id, name, template, keep, now, state, fly, Health.UNKNOWN));
  }

  private static Machine with(Machine old, MachineState state, Power power, Health health) {
    Map<String, String> tags =
        Tags.of(
            Pool.NAME, Pool.IAD, desired("7", 0, 0), old.template(), old.keep(), state.standing());
    Sighting fly = new Sighting(power, null, 0, null, null, null, tags);
    return new Machine(
        old.id(), old.name(), old.template(), old.keep(), old.bootedAt(), state, fly, health);
  }

  private static Desired desired(String version, int min, int max) {
    return new Desired(
        new Template(
            new TemplateVersion(version), "any", new Template.Guest("shared", 1, 256), Map.of()),
        new Desired.Bounds(min, max, 4),
        false,
        false,
        Desired.AfterSession.RECYCLE,
        null,
        Seen.TAGS,
        Set.of(),
        Set.of());
  }
}
