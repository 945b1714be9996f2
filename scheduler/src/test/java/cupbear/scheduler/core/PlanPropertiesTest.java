// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.Lifecycle.Outcome;
import cupbear.scheduler.core.Lifecycle.Signal;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Action.OnMachine;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every plan, whatever the world looks like. */
class PlanPropertiesTest {
  private static final int MAX_ACTIONS = 10;

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void holds(long seed) {
    Pool pool = anyPool(new Random(seed));
    Plan plan = pool.plan();
    assertThat(pool.plan()).as("same input, same plan").isEqualTo(plan);
    assertThat(pool.planShuffled(new Random(seed)).actions())
        .as("the order of the input does not matter")
        .isEqualTo(plan.actions());
    assertThat(plan.actions()).hasSizeLessThanOrEqualTo(MAX_ACTIONS);
    assertThat(plan.actions()).isSortedAccordingTo((a, b) -> a.kind().compareTo(b.kind()));
    Map<MachineId, Machine> machines =
        pool.machines().stream().collect(Collectors.toMap(Machine::id, machine -> machine));
    Set<MachineId> moved = new HashSet<>();
    for (Action action : plan.actions()) {
      assertThat(action.why().detail()).as("%s has a reason", action).isNotBlank();
      if (!(action instanceof OnMachine on)) continue;
      Machine machine = machines.get(on.machine());
      assertThat(machine).as("%s is about a known Machine", action).isNotNull();
      if (machine == null) continue;
      assertThat(isLegal(action, machine.state().standing()))
          .as("%s of a Machine that is %s", action, machine.state().standing())
          .isTrue();
      boolean first = !action.kind().movesTheMachine() || moved.add(on.machine());
      assertThat(first).as("%s is the only move of its Machine", action).isTrue();
    }
    assertThat(plan.unmet()).isNotNegative();
    assertNotTooMany(plan);
  }

  /** No more are brought up than wanted, and a roll's room on top. */
  private static void assertNotTooMany(Plan plan) {
    long up =
        plan.actions().stream()
            .filter(each -> each.kind() == ActionKind.CREATE || each.kind() == ActionKind.START)
            .count();
    if (up == 0) return;
    assertThat(plan.counts().present() + up)
        .isLessThanOrEqualTo(Math.max(plan.target().ceiling(), plan.target().warm() + 1));
  }

  private static boolean isLegal(Action action, Standing standing) {
    return switch (action) {
      case Action.Start any -> moves(standing, Signal.START_ACCEPTED);
      case Action.Stage any -> standing == Standing.PROVING;
      case Action.Doubt any -> moves(standing, Signal.DOUBTED);
      case Action.Drain any -> moves(standing, Signal.RETIRED);
      case Action.Teardown any -> standing == Standing.DRAINING;
      case Action.Stop any -> standing == Standing.DRAINING || standing == Standing.PARKED;
      case Action.Book book ->
          switch (book.progress()) {
            case BOOTED -> moves(standing, Signal.FLY_STARTED);
            case STOPPED -> moves(standing, Signal.STOPPED);
            case GONE -> moves(standing, Signal.DESTROYED);
          };
      case Action.Destroy destroy ->
          standing == Standing.CONDEMNED
              ? destroy.reserve() == Reserve.NONE
              : destroy.reserve() == Reserve.CONDEMN
                  && standing != Standing.ASSIGNED
                  && standing != Standing.UNKNOWN
                  && Lifecycle.allows(standing, Standing.CONDEMNED);
      case Action.Lose any -> standing == Standing.ASSIGNED;
      case Action.Adopt any -> false;
      case Action.Retag any -> true;
      case Action.Create any -> true;
    };
  }

  private static boolean moves(Standing from, Signal signal) {
    return !(Lifecycle.next(from, signal) instanceof Outcome.Breach);
  }

  private static Pool anyPool(Random random) {
    int min = random.nextInt(6);
    Pool pool = Pool.row("any").bounds(min, min + random.nextInt(5), random.nextInt(4));
    pool.maxActions(MAX_ACTIONS);
    int count = random.nextInt(25);
    for (int i = 0; i < count; i++) pool.with(anyMachine(random, "m" + i));
    if (random.nextInt(4) == 0) pool.queue(20, Duration.ZERO);
    if (random.nextInt(4) == 0) pool.held(random.nextInt(12));
    if (random.nextInt(6) == 0) pool.collapsed(30, 20);
    if (random.nextInt(4) == 0) pool.capacity(3, Pool.NOW.plusSeconds(random.nextInt(3) - 1));
    if (random.nextInt(4) == 0) pool.budget(random.nextInt(12), 1);
    return withHabits(random, pool);
  }

  private static Pool withHabits(Random random, Pool pool) {
    if (random.nextBoolean()) pool.credentials();
    if (random.nextBoolean()) pool.playbook();
    if (random.nextInt(4) == 0) pool.destroyAfterSession();
    if (random.nextInt(3) == 0) pool.expecting(any(random, ActionKind.class), "m1");
    if (random.nextInt(3) == 0) pool.expecting(ActionKind.CREATE, "viewers-iad-7-001");
    if (random.nextInt(4) == 0) pool.cordoned("m2").operatorDrains("m3");
    return pool;
  }

  private static Seen anyMachine(Random random, String id) {
    List<Seen> kinds =
        List.of(
            Seen.provisioning(id),
            Seen.proving(id, random.nextBoolean()),
            Seen.warm(id),
            Seen.warm(id),
            Seen.assigned(id),
            Seen.draining(id, any(random, Cleaning.class)),
            Seen.parked(id),
            Seen.condemned(id, random.nextBoolean()),
            Seen.unknown(id));
    Seen seen = kinds.get(random.nextInt(kinds.size()));
    seen.idle(Duration.ofSeconds(random.nextInt(60_000)));
    anything(random, 3).ifPresent(any -> seen.power(any(random, Power.class)));
    anything(random, 6).ifPresent(any -> seen.missing(1 + random.nextInt(3)));
    anything(random, 6).ifPresent(any -> seen.hostBad(Duration.ofSeconds(random.nextInt(120))));
    anything(random, 8).ifPresent(any -> seen.exited(Duration.ofSeconds(random.nextInt(90_000))));
    anything(random, 5).ifPresent(any -> seen.strikes(1 + random.nextInt(4)));
    anything(random, 4).ifPresent(any -> seen.template("6"));
    anything(random, 4).ifPresent(any -> seen.manual());
    anything(random, 6).ifPresent(any -> seen.tagged(Map.of("state", "else")));
    return seen;
  }

  private static Optional<Boolean> anything(Random random, int oneIn) {
    return random.nextInt(oneIn) == 0 ? Optional.of(true) : Optional.empty();
  }

  private static <E extends Enum<E>> E any(Random random, Class<E> type) {
    E[] all = type.getEnumConstants();
    return all[random.nextInt(all.length)];
  }
}
