// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.app.Credentials;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.port.Meters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run: two or more real schedulers, one real in-memory store, a simulated Fly, probes, gateways
 * and faults, all on one agenda. One thread; nothing in it reads a clock or throws dice of its own.
 */
final class SimWorld {
  private static final Duration SAMPLE_EVERY = Duration.ofSeconds(10);

  private final SimSettings settings;
  private final Variant variant;
  private final Agenda agenda = new Agenda();
  private final Trace trace;
  private final Court court;
  private final Watch watch;
  private final SimPool pool;
  private final SimFly fly;
  private final FlyLimits limits;
  private final FlyRates rates;
  private final SimStore store;
  private final Tally tally = new Tally();
  private final SimGateways gateways;
  private final FaultInjector faults;
  private final List<SimScheduler> schedulers = new ArrayList<>();
  private int started;
  private boolean healed;

  SimWorld(SimSettings settings, Variant variant, @Nullable Consumer<String> reader) {
    this.settings = settings;
    this.variant = variant;
    this.trace = new Trace(agenda, reader);
    this.court = new Court(agenda, trace, settings);
    this.pool = new SimPool(dice("pool"), variant.policy(Policy.DEFAULT));
    Headroom headroom = new Headroom(court, agenda, pool::bounds, region -> store().peek(region));
    Repeats repeats = new Repeats(agenda, court);
    this.watch = new Watch(agenda, court, headroom, repeats);
    this.store = new SimStore(agenda, trace, settings.seed(), watch);
    this.fly = new SimFly(agenda, dice("fly"), trace, watch);
    watch.over(fly);
    headroom.over(fly);
    repeats.over(fly);
    this.limits = new FlyLimits(agenda);
    this.rates = new FlyRates(agenda, court, repeats);
    this.gateways =
        new SimGateways(
            agenda,
            trace,
            settings,
            this::schedulers,
            watch,
            new Answers(agenda, court),
            pool.terms().failover(),
            tally);
    this.faults = new FaultInjector(this, settings);
  }

  /** Runs to the end, or to the first broken promise. */
  SimResult run() {
    for (int i = 0; i < settings.schedulers(); i++) schedulers.add(boot(i));
    if (variant.isVisited()) gateways.begin();
    faults.begin();
    agenda.after(SAMPLE_EVERY, this::sample);
    agenda.after(settings.healAt(), this::heal);
    long end = settings.length().toNanos();
    try {
      while (!court.isBroken() && agenda.step(end)) {}
      if (!court.isBroken()) new Aftermath(agenda, court, store, fly, pool).judge();
    } catch (RuntimeException | Error e) { // a world that runs wild is a finding with a seed, too
      court.violated("no-exceptions", Failures.inShort(e));
    }
    return new SimResult(
        settings,
        agenda.ran(),
        court.checks(),
        court.violations(),
        tally,
        rates.counted(),
        trace.isOn() ? trace.hash() : "");
  }

  private SimScheduler boot(int place) {
    String name = "s" + (place + 1) + (started < settings.schedulers() ? "" : "-" + started);
    started++;
    SimProcess process = new SimProcess(agenda, name);
    SimFlyClient machines =
        new SimFlyClient(agenda, dice("wire " + name), fly, process, limits, rates);
    SimProbes probes = new SimProbes(agenda, dice("probes " + name), fly, process);
    StorePorts ports = store.ports(process, near -> variant.store(near, fly, name));
    Ports all =
        new Ports(
            ports.claims(),
            ports.book(),
            ports.leadership(),
            ports.recovery(),
            ports.journal(),
            Map.of(SimPool.APP, variant.machines(machines)),
            probes,
            new SimCredentials(),
            process.time(),
            new SimIds(name, dice("luck " + name)),
            variant.meters(new SimMeters(court, name)));
    SimScheduler scheduler = new SimScheduler(agenda, process, probes, all, pool);
    trace.line(name, "begins");
    scheduler.start();
    return scheduler;
  }

  private Dice dice(String concern) {
    return Dice.of(settings.seed(), concern);
  }

  /** Dies without a word, and is back some time later as another replica. */
  void kill(SimScheduler victim, Duration away) {
    int place = schedulers.indexOf(victim);
    if (place < 0 || !victim.process().isAlive()) return;
    trace.line(victim.process().name(), "dies");
    victim.process().kill();
    agenda.after(away, () -> schedulers.set(place, boot(place)));
  }

  /** Leaves in good order, and is back as another replica. */
  void restart(SimScheduler victim) {
    trace.line(victim.process().name(), "drains");
    victim.drain(() -> kill(victim, Duration.ofSeconds(2)));
  }

  void roll() {
    pool.roll();
    schedulers.forEach(each -> each.declare(pool));
  }

  private void heal() {
    healed = true;
    trace.line("world", "heals");
    watch.proberInTrouble();
    fly.weather.clear();
    store.heal();
    for (SimMachine machine : fly.machines()) if (!machine.hostOk) fly.hostDown(machine, false);
    for (SimScheduler each : List.copyOf(schedulers)) {
      each.probes().weather.clear();
      each.process().setClockRight();
      each.process().thaw();
    }
  }

  private void sample() {
    double hours = SAMPLE_EVERY.toMillis() / 3_600_000.0;
    for (Region region : SimPool.REGIONS) {
      store
          .peek(region)
          .ifPresent(seen ->
              tally.idle(
                  hours
                      * seen.machines().stream()
                          .filter(each -> each.state().standing() == Standing.WARM)
                          .count()));
    }
    agenda.after(SAMPLE_EVERY, this::sample);
  }

  Agenda agenda() {
    return agenda;
  }

  Trace trace() {
    return trace;
  }

  SimFly fly() {
    return fly;
  }

  SimStore store() {
    return store;
  }

  Watch watch() {
    return watch;
  }

  SimGateways gateways() {
    return gateways;
  }

  List<SimScheduler> schedulers() {
    return schedulers;
  }

  boolean isHealed() {
    return healed;
  }

  /** Nothing secret is simulated. */
  private static final class SimCredentials implements Credentials {
    @Override
    public Made make(PoolName pool, MachineId machine, Instant bootedAt) {
      return new Made("plain", "sealed-" + machine);
    }
  }

  /** A breach that the scheduler itself counts is one here too. */
  private record SimMeters(Court court, String by) implements Meters {
    @Override
    public void breach(PoolName pool, Region region, String what) {
      court.violated("no-breaches", by + " counts one in " + region + ": " + what);
    }
  }
}
