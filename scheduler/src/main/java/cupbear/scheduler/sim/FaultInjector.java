// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Breaks things by seed until the world is to heal. Faults overlap; each ends by itself, and at the
 * hour of healing all of them end.
 */
final class FaultInjector {
  private final SimWorld world;
  private final Agenda agenda;
  private final Dice dice;
  private final List<Fault> urn;
  private final Duration every;

  FaultInjector(SimWorld world, SimSettings settings) {
    this.world = world;
    this.agenda = world.agenda();
    this.dice = Dice.of(settings.seed(), "faults");
    this.urn = Fault.of(settings.faults());
    this.every =
        settings.faults() == SimSettings.FaultLevel.WILD
            ? Duration.ofSeconds(45)
            : Duration.ofMinutes(3);
  }

  void begin() {
    if (!urn.isEmpty()) agenda.after(Duration.ofMinutes(2), this::next);
  }

  private void next() {
    if (world.isHealed()) return;
    Fault fault = dice.pick(urn);
    strike(fault);
    agenda.after(dice.exponential(every), this::next);
  }

  private void strike(Fault fault) {
    world.trace().line("fault", fault.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    switch (fault) {
      case LIST_LAG, LIST_EMPTY, LIST_PARTIAL, LOST_ANSWERS, LIMITED, ERRORS -> answers(fault);
      case FLY_DOWN, FLY_SLOW, SLOW_BOOTS, STUCK_BOOTS, LAUNCH_FAILURES -> fly(fault);
      case NO_CAPACITY, HOST_FULL, EXEC_FAILS, FOREIGN -> supply(fault);
      case EXIT, HANG, TAKEN_BY_OTHERS, STOPPED_BY_OTHERS, HOST_DOWN -> machine(fault);
      case PROBE_FLAPS, PROBER_FAULTS, PROBER_BLIND -> probes(fault);
      case STORE_PAUSE, STORE_LOSSY, STORE_SLOW, STORE_DOWN, WORDS_LOST -> store(fault);
      case STORE_FAILOVER -> world.store().failover(dice.millis(20, 3000), dice.millis(100, 4000));
      case STORE_WIPE -> world.store().wipe();
      case FREEZE, KILL, RESTART, CLOCK_JUMP -> process(fault);
      case STORM, ROLL, CORDON, DRAIN, CORDON_REGION, PAUSE_REGION, HINT -> people(fault);
    }
  }

  private void answers(Fault fault) {
    FlyWeather weather = world.fly().weather;
    switch (fault) {
      case LIST_LAG ->
          spell(
              20,
              120,
              () -> weather.listLag = dice.seconds(5, 25),
              () -> weather.listLag = Duration.ofSeconds(1));
      case LIST_EMPTY ->
          spell(
              4,
              60,
              () -> weather.lists = FlyWeather.Lists.EMPTY,
              () -> weather.lists = FlyWeather.Lists.FULL);
      case LIST_PARTIAL ->
          spell(
              4,
              60,
              () -> weather.lists = FlyWeather.Lists.PARTIAL,
              () -> weather.lists = FlyWeather.Lists.FULL);
      case LOST_ANSWERS ->
          spell(
              20,
              90,
              () -> weather.lostAnswerShare = 0.1 + dice.unit() * 0.5,
              () -> weather.lostAnswerShare = 0);
      case LIMITED ->
          spell(10, 60, () -> weather.limitedShare = 0.7, () -> weather.limitedShare = 0);
      default -> spell(10, 90, () -> weather.errorShare = 0.5, () -> weather.errorShare = 0);
    }
  }

  private void fly(Fault fault) {
    FlyWeather weather = world.fly().weather;
    switch (fault) {
      case FLY_DOWN -> spell(10, 120, () -> weather.down = true, () -> weather.down = false);
      case FLY_SLOW ->
          spell(
              20,
              90,
              () -> weather.extraLatency = dice.millis(500, 4000),
              () -> weather.extraLatency = Duration.ZERO);
      case SLOW_BOOTS ->
          spell(60, 180, () -> weather.slowBootShare = 0.7, () -> weather.slowBootShare = 0);
      case STUCK_BOOTS ->
          spell(30, 120, () -> weather.stuckBootShare = 0.5, () -> weather.stuckBootShare = 0);
      default ->
          spell(30, 120, () -> weather.launchFailShare = 0.5, () -> weather.launchFailShare = 0);
    }
  }

  private void supply(Fault fault) {
    FlyWeather weather = world.fly().weather;
    Region region = dice.pick(SimPool.REGIONS);
    switch (fault) {
      case NO_CAPACITY ->
          spell(
              60,
              400,
              () -> weather.withoutCapacity.add(region),
              () -> weather.withoutCapacity.remove(region));
      case HOST_FULL ->
          spell(30, 120, () -> weather.hostFullShare = 0.5, () -> weather.hostFullShare = 0);
      case EXEC_FAILS ->
          spell(20, 90, () -> weather.execFailShare = 0.4, () -> weather.execFailShare = 0);
      default -> world.fly().addForeign(region);
    }
  }

  private void machine(Fault fault) {
    SimFly fly = world.fly();
    switch (fault) {
      case EXIT -> some(each -> each.power == Power.RUNNING, fly::exit);
      case HANG ->
          some(each -> each.power == Power.RUNNING, each -> fly.hang(each, dice.seconds(5, 90)));
      case TAKEN_BY_OTHERS -> some(SimMachine::exists, fly::destroyByOthers);
      case STOPPED_BY_OTHERS -> some(each -> each.power == Power.RUNNING, fly::stopByOthers);
      default ->
          some(
              SimMachine::exists,
              each ->
                  spell(20, 300, () -> fly.hostDown(each, true), () -> fly.hostDown(each, false)));
    }
  }

  private void some(Predicate<SimMachine> which, Consumer<SimMachine> then) {
    List<SimMachine> all =
        world.fly().machines().stream().filter(each -> each.ours && which.test(each)).toList();
    if (!all.isEmpty()) then.accept(dice.pick(all));
  }

  private void probes(Fault fault) {
    world.watch().proberInTrouble();
    SimProbes.Weather weather = dice.pick(world.schedulers()).probes().weather;
    switch (fault) {
      case PROBE_FLAPS -> spell(10, 60, () -> weather.flapShare = 0.25, () -> sees(weather));
      case PROBER_FAULTS -> spell(10, 60, () -> weather.faultShare = 0.8, () -> sees(weather));
      default -> spell(5, 60, () -> weather.blind = true, () -> sees(weather));
    }
  }

  private void sees(SimProbes.Weather weather) {
    weather.clear();
    world.watch().proberInTrouble();
  }

  private void store(Fault fault) {
    StoreWeather weather = world.store().weather;
    switch (fault) {
      case STORE_PAUSE -> weather.pausedUntil = agenda.nanos() + dice.millis(200, 25_000).toNanos();
      case STORE_LOSSY ->
          spell(
              5,
              40,
              () -> {
                weather.lostBefore = dice.unit() * 0.3;
                weather.lostAfter = dice.unit() * 0.3;
              },
              () -> {
                weather.lostBefore = 0;
                weather.lostAfter = 0;
              });
      case STORE_SLOW ->
          spell(
              10,
              60,
              () -> weather.extraLatency = dice.millis(20, 900),
              () -> weather.extraLatency = Duration.ZERO);
      case STORE_DOWN -> spell(2, 40, () -> weather.down = true, () -> weather.down = false);
      default -> spell(10, 90, () -> weather.lostWords = 0.8, () -> weather.lostWords = 0);
    }
  }

  private void process(Fault fault) {
    SimScheduler victim = dice.pick(world.schedulers());
    SimProcess process = victim.process();
    switch (fault) {
      case FREEZE -> spell(2, 45, process::freeze, process::thaw);
      case KILL -> world.kill(victim, dice.seconds(1, 40));
      case RESTART -> world.restart(victim);
      default -> {
        Duration by = dice.seconds(1, 120);
        process.jump(dice.chance(0.5) ? by : by.negated());
      }
    }
  }

  private void people(Fault fault) {
    Region region = dice.pick(SimPool.REGIONS);
    switch (fault) {
      case STORM -> world.gateways().storm(5 + dice.below(25));
      case ROLL -> world.roll();
      case CORDON -> some(SimMachine::exists, each -> mark(each, Marks.Mark.CORDON));
      case DRAIN -> some(SimMachine::exists, each -> mark(each, Marks.Mark.DRAIN));
      case CORDON_REGION -> mark(region, Marks.Mark.CORDON);
      case PAUSE_REGION -> mark(region, Marks.Mark.PAUSE);
      default ->
          dice.pick(world.schedulers())
              .hint(region, 0.05 + dice.unit() * 0.3, Duration.ofMinutes(2));
    }
  }

  private void mark(SimMachine machine, Marks.Mark mark) {
    mark(machine.region, Optional.of(machine.id), mark, dice.seconds(30, 300));
  }

  private void mark(Region region, Marks.Mark mark) {
    mark(region, Optional.empty(), mark, dice.seconds(30, 240));
  }

  private void mark(Region region, Optional<MachineId> machine, Marks.Mark mark, Duration time) {
    world.store().mark(region, machine, mark);
    agenda.after(time, () -> world.store().unmark(region, machine, mark));
  }

  /** Something is so for a while. */
  private void spell(long least, long most, Runnable begin, Runnable end) {
    begin.run();
    agenda.after(
        dice.seconds(least, most),
        () -> {
          if (!world.isHealed()) end.run();
        });
  }
}
