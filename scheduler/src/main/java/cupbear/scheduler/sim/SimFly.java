// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.port.FlyTrouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fly itself: the truth about all Machines of one app. Its methods are what happens when a call has
 * arrived; {@link SimFlyClient} is the way there and back.
 */
final class SimFly {
  private static final Duration DESTROYED_SHOWN = Duration.ofSeconds(10);

  /** What goes on inside Fly, for those who watch. */
  interface Witness {
    /** A call is about to take a Machine down. */
    void takingDown(String action, SimMachine machine, String by);

    /** A call is about to change a Machine in any way. */
    void touching(String action, SimMachine machine, String by);

    void changed(SimMachine machine);
  }

  private final Agenda agenda;
  private final Dice dice;
  private final Trace trace;
  private final Witness witness;
  final FlyWeather weather = new FlyWeather();
  private final SortedMap<MachineId, SimMachine> machines = new TreeMap<>();
  private final Map<MachineId, List<Runnable>> awaiting = new TreeMap<>();
  private int made;

  SimFly(Agenda agenda, Dice dice, Trace trace, Witness witness) {
    this.agenda = agenda;
    this.dice = dice;
    this.trace = trace;
    this.witness = witness;
  }

  Agenda agenda() {
    return agenda;
  }

  /** Has such an order had its effect? */
  boolean isDone(String action, String target) {
    if (action.equals("create")) return named(target).isPresent();
    SimMachine machine = machines.get(new MachineId(target));
    if (machine == null || !machine.exists()) return true;
    boolean up = machine.power == Power.COMING_UP || machine.power == Power.RUNNING;
    return action.equals("start") == up;
  }

  /** Every Machine that exists or is still shown, by id. */
  Collection<SimMachine> machines() {
    return Collections.unmodifiableCollection(machines.values());
  }

  @Nullable SimMachine machine(MachineId id) {
    return machines.get(id);
  }

  List<Listed> list() {
    List<Listed> shown = new ArrayList<>(machines.size());
    for (SimMachine machine : machines.values()) {
      long lag = (long) (weather.listLag.toNanos() * dice.unit());
      boolean hidden =
          switch (weather.lists) {
            case FULL -> false;
            case EMPTY -> true;
            case PARTIAL -> dice.chance(0.5);
          };
      Listed listed = machine.asOf(agenda.nanos() - lag);
      if (listed != null && !hidden) shown.add(listed);
    }
    return shown;
  }

  Optional<Listed> look(MachineId id) {
    SimMachine machine = machines.get(id);
    return machine == null ? Optional.empty() : Optional.of(machine.newest());
  }

  Listed create(Order order, String by) {
    Optional<SimMachine> same = named(order.name());
    if (same.isPresent()) {
      if (same.get().power == Power.GOING_DOWN) throw trouble(FlyTrouble.Kind.BUSY, "name taken");
      trace.line("fly", "found", same.get().id, order.name(), "for", by);
      return same.get().newest();
    }
    if (weather.withoutCapacity.contains(order.region())) {
      throw trouble(FlyTrouble.Kind.NO_CAPACITY, "insufficient capacity in " + order.region());
    }
    SimMachine machine = add(order.name(), order.region(), true, order.tags());
    trace.line("fly", "created", machine.id, order.name(), "for", by);
    comeUp(machine);
    return machine.newest();
  }

  /** A Machine that somebody else made. */
  SimMachine addForeign(Region region) {
    SimMachine machine = add("foreign-" + made, region, false, Map.of("owner", "somebody"));
    comeUp(machine);
    return machine;
  }

  private SimMachine add(String name, Region region, boolean ours, Map<String, String> tags) {
    made++;
    MachineId id = new MachineId(String.format(Locale.ROOT, "m%04d", made));
    SimMachine machine = new SimMachine(id, name, region, ours, address(), tags, agenda.now());
    machines.put(id, machine);
    machine.bootedAt = agenda.nanos();
    machine.show(agenda.nanos());
    witness.changed(machine);
    return machine;
  }

  private String address() {
    return String.format(
        Locale.ROOT, "fdaa:0:1::%x", 0x100 + agenda.ran() % 0x10000 * 0x100 + made);
  }

  void start(MachineId id, String by) {
    SimMachine machine = there(id);
    witness.touching("start", machine, by);
    if (machine.power == Power.GOING_DOWN) throw trouble(FlyTrouble.Kind.BUSY, "still stopping");
    if (machine.power == Power.FAILED) throw trouble(FlyTrouble.Kind.BUSY, "failed");
    if (machine.power != Power.STOPPED) return;
    if (!machine.hostOk) throw trouble(FlyTrouble.Kind.UNAVAILABLE, "host unreachable");
    if (dice.chance(weather.hostFullShare)) throw trouble(FlyTrouble.Kind.HOST_FULL, "host full");
    trace.line("fly", "start", id, "by", by);
    machine.exitedAt = null;
    machine.takenDown = false;
    machine.healthySeen = -1;
    boot(machine);
  }

  private void boot(SimMachine machine) {
    machine.boot++;
    if (dice.chance(0.1)) machine.address = address();
    machine.bootedAt = agenda.nanos();
    machine.turn(Power.COMING_UP, agenda.nanos(), agenda.now());
    witness.changed(machine);
    comeUp(machine);
  }

  void stop(MachineId id, String by) {
    SimMachine machine = machines.get(id);
    if (machine == null) return;
    witness.touching("stop", machine, by);
    if (machine.power != Power.RUNNING && machine.power != Power.COMING_UP) return;
    if (!machine.hostOk) throw trouble(FlyTrouble.Kind.UNSURE, "host unreachable");
    witness.takingDown("stop", machine, by);
    machine.takenDown = true;
    trace.line("fly", "stop", id, "by", by);
    stopping(machine);
  }

  private void stopping(SimMachine machine) {
    int boot = machine.boot;
    machine.turn(Power.GOING_DOWN, agenda.nanos(), agenda.now());
    witness.changed(machine);
    agenda.after(
        dice.millis(300, 5000),
        () -> {
          if (machine.boot == boot && machine.power == Power.GOING_DOWN) stopped(machine);
        });
  }

  private void stopped(SimMachine machine) {
    machine.used = false;
    machine.healthyFrom = SimMachine.NEVER;
    machine.sickUntil = 0;
    machine.turn(Power.STOPPED, agenda.nanos(), agenda.now());
    trace.line("fly", "stopped", machine.id);
    witness.changed(machine);
    tellDown(machine);
  }

  void destroy(MachineId id, String by) {
    SimMachine machine = machines.get(id);
    if (machine == null || !machine.exists()) return;
    witness.touching("destroy", machine, by);
    if (!machine.hostOk) throw trouble(FlyTrouble.Kind.UNSURE, "host unreachable");
    witness.takingDown("destroy", machine, by);
    machine.takenDown = true;
    trace.line("fly", "destroy", id, "by", by);
    machine.boot++;
    machine.turn(Power.GOING_DOWN, agenda.nanos(), agenda.now());
    witness.changed(machine);
    agenda.after(dice.millis(300, 4000), () -> destroyed(machine));
  }

  private void destroyed(SimMachine machine) {
    if (!machine.exists()) return;
    machine.boot++;
    machine.turn(Power.DESTROYED, agenda.nanos(), agenda.now());
    machine.forgottenAt = agenda.nanos() + DESTROYED_SHOWN.toNanos();
    trace.line("fly", "destroyed", machine.id);
    witness.changed(machine);
    tellDown(machine);
    agenda.after(DESTROYED_SHOWN.multipliedBy(4), () -> machines.remove(machine.id));
  }

  void retag(MachineId id, Map<String, String> tags, String by) {
    SimMachine machine = there(id);
    witness.touching("retag", machine, by);
    machine.tags = new TreeMap<>(machine.tags);
    machine.tags.putAll(tags);
    machine.show(agenda.nanos());
  }

  int exec(MachineId id, String by) {
    SimMachine machine = there(id);
    witness.touching("exec", machine, by);
    if (machine.power != Power.RUNNING) throw trouble(FlyTrouble.Kind.BUSY, "machine not running");
    if (!machine.hostOk) throw trouble(FlyTrouble.Kind.UNSURE, "host unreachable");
    return dice.chance(weather.execFailShare) ? 1 : 0;
  }

  /** Calls back once the Machine is down; at once when it is. */
  void awaitDown(MachineId id, Runnable then) {
    SimMachine machine = machines.get(id);
    if (machine == null || !machine.isRunning()) then.run();
    else awaiting.computeIfAbsent(id, any -> new ArrayList<>()).add(then);
  }

  /** Its process ends without being asked to; what is kept for ever is started again. */
  void exit(SimMachine machine) {
    if (machine.power != Power.RUNNING) return;
    trace.line("fly", "exit", machine.id);
    machine.troubleAt = agenda.nanos();
    machine.exitedAt = agenda.now();
    if (!"always".equals(machine.tags.get("keep"))) {
      machine.boot++;
      stopped(machine);
      return;
    }
    machine.isHealthy(agenda.nanos());
    machine.healthyFrom = SimMachine.NEVER;
    tellDown(machine);
    boot(machine);
  }

  /** Somebody else takes it away. */
  void destroyByOthers(SimMachine machine) {
    trace.line("fly", "lost", machine.id, "destroyed by others");
    machine.boot++;
    machine.turn(Power.GOING_DOWN, agenda.nanos(), agenda.now());
    agenda.after(Duration.ofSeconds(1), () -> destroyed(machine));
  }

  /** It hangs: it runs on, and nobody in it answers. */
  void hang(SimMachine machine, Duration length) {
    machine.isHealthy(agenda.nanos());
    machine.sickUntil = agenda.nanos() + length.toNanos();
    machine.troubleAt = machine.sickUntil;
    trace.line("fly", "hangs", machine.id, length);
  }

  void stopByOthers(SimMachine machine) {
    if (machine.power != Power.RUNNING) return;
    trace.line("fly", "lost", machine.id, "stopped by others");
    stopping(machine);
  }

  void hostDown(SimMachine machine, boolean down) {
    machine.isHealthy(agenda.nanos());
    machine.hostOk = !down;
    machine.troubleAt = agenda.nanos();
    trace.line("fly", down ? "host-down" : "host-up", machine.id);
    machine.show(agenda.nanos());
    witness.changed(machine);
  }

  private void comeUp(SimMachine machine) {
    int boot = machine.boot;
    if (dice.chance(weather.launchFailShare)) {
      agenda.after(
          dice.millis(500, 3000),
          () -> {
            if (machine.boot != boot) return;
            machine.turn(Power.FAILED, agenda.nanos(), agenda.now());
            trace.line("fly", "failed", machine.id);
            witness.changed(machine);
            tellDown(machine);
          });
      return;
    }
    boolean stuck = dice.chance(weather.stuckBootShare);
    boolean slow = dice.chance(weather.slowBootShare);
    Duration warmUp = slow ? dice.seconds(30, 150) : dice.seconds(2, 12);
    agenda.after(
        slow ? dice.seconds(5, 40) : dice.millis(800, 3500),
        () -> {
          if (machine.boot != boot || machine.power != Power.COMING_UP) return;
          machine.turn(Power.RUNNING, agenda.nanos(), agenda.now());
          machine.healthyFrom = stuck ? SimMachine.NEVER : agenda.nanos() + warmUp.toNanos();
          trace.line("fly", "started", machine.id, stuck ? "stuck" : slow ? "slow" : "");
          witness.changed(machine);
        });
  }

  private void tellDown(SimMachine machine) {
    List<Runnable> waiting = awaiting.remove(machine.id);
    if (waiting != null) waiting.forEach(Runnable::run);
  }

  private Optional<SimMachine> named(String name) {
    return machines.values().stream()
        .filter(machine -> machine.exists() && machine.name.equals(name))
        .findFirst();
  }

  private SimMachine there(MachineId id) {
    SimMachine machine = machines.get(id);
    if (machine == null || !machine.exists())
      throw trouble(FlyTrouble.Kind.GONE, "no such machine");
    return machine;
  }

  private static FlyTrouble trouble(FlyTrouble.Kind kind, String detail) {
    return new FlyTrouble(kind, detail);
  }
}
