// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.world.Event.Source;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import cupbear.flysim.world.Switches.ExitPlace;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How Machines move from state to state: every transition, its events, its time, and what it means
 * for what runs inside. Whether a move is allowed is asked before, by the calls. World's thread.
 */
final class Lifecycle {
  // Of the time from created to started, what passes before the VM itself starts.
  private static final double UNPACKING = 0.7;

  private final Platform platform;
  private final Journal journal;
  private final Set<String> cachedImages = new HashSet<>();

  Lifecycle(Platform platform, Journal journal) {
    this.platform = platform;
    this.journal = journal;
  }

  // --- birth ---

  /** Adds a Machine and lets it boot, or unpack only. */
  Machine create(App app, Birth birth) {
    Instant now = platform.now();
    Machine machine = new Machine(app, platform.ids.hex(14), birth.name(), birth.region(), now);
    machine.versions.add(new Machine.Version(platform.ids.ulid(now), birth.config()));
    machine.cordoned = birth.cordoned();
    takeAddress(machine);
    app.machines.put(machine.id, machine);
    journal.record(machine, "launch", State.CREATED, Source.USER, Json.object());
    become(machine, State.CREATED, "launch", Source.FLYD);
    String image = birth.config().path("image").asText();
    platform
        .faults
        .strikes(Kind.BAD_IMAGE, Occasion.of(Action.CREATE, machine), fault -> fault.isAbout(image))
        .ifPresent(fault -> machine.viewerMode = fault.services());
    boolean fails = strikes(Kind.LAUNCH_FAILED, Action.CREATE, machine).isPresent();
    Duration boot = bootTime(machine);
    step(
        machine,
        share(boot, UNPACKING),
        () -> {
          if (fails) {
            failLaunch(machine);
          } else if (birth.skipLaunch()) {
            rest(machine);
          } else {
            become(machine, State.STARTING, "start", Source.FLYD);
            step(machine, share(boot, 1 - UNPACKING), () -> boot(machine, false));
          }
        });
    return machine;
  }

  /** What a new Machine is made of. */
  record Birth(
      String name, String region, ObjectNode config, boolean skipLaunch, boolean cordoned) {}

  private void rest(Machine machine) {
    if (platform.switches.skipLaunchRestsIn() == Switches.Rest.STOPPED) {
      become(machine, State.STOPPED, "launch", Source.FLYD);
    }
  }

  private void failLaunch(Machine machine) {
    become(machine, State.LAUNCH_FAILED, "launch", Source.FLYD);
    step(machine, platform.latencies.next(Step.DESTROY), () -> destroyed(machine));
  }

  private Duration bootTime(Machine machine) {
    Optional<Fault> stuck = strikes(Kind.STUCK_CREATED, Action.CREATE, machine);
    if (stuck.isPresent() && stuck.get().details().has("ms")) {
      return platform.latencies.scaled(Duration.ofMillis(stuck.get().details().get("ms").asLong()));
    }
    if (stuck.isPresent() || platform.chance.nextDouble() < platform.switches.stuckCreatedRate()) {
      return platform.latencies.next(Step.BOOT_STUCK);
    }
    String image = machine.region + " " + machine.config().path("image").asText();
    boolean cold = cachedImages.add(image) && platform.switches.coldImageFirst();
    return platform.latencies.next(cold ? Step.BOOT_COLD : Step.BOOT_CACHED);
  }

  private void takeAddress(Machine machine) {
    platform
        .viewers
        .reserve(machine.id)
        .ifPresentOrElse(
            address -> {
              machine.privateIp = address.host();
              machine.guacdPort = address.guacdPort();
              machine.rdpPort = address.rdpPort();
            },
            () ->
                machine.privateIp =
                    "fdaa:9:d844:a7b:%s:%s:%s:2"
                        .formatted(platform.ids.hex(4), platform.ids.hex(4), platform.ids.hex(4)));
  }

  // --- running ---

  /** From stopped, suspended or while suspending. */
  void start(Machine machine) {
    boolean hadSnapshot = machine.state == State.SUSPENDED || machine.state == State.SUSPENDING;
    boolean resumes =
        hadSnapshot && platform.chance.nextDouble() >= platform.switches.coldResumeRate();
    if (hadSnapshot) {
      ignore(resumes ? platform.viewers.pause(machine.id) : platform.viewers.stop(machine.id));
    }
    become(machine, State.STARTING, "start", Source.USER);
    step(
        machine,
        platform.latencies.next(resumes ? Step.RESUME : Step.START),
        () -> boot(machine, resumes));
  }

  /** Brings up what runs inside; the Machine counts as started when that is arranged for. */
  private void boot(Machine machine, boolean resumed) {
    Duration ready = resumed ? Duration.ZERO : platform.latencies.next(Step.READY);
    int life = ++machine.life;
    platform
        .viewers
        .start(machine.id, new Launch(ready, machine.viewerMode))
        .onComplete(result ->
            platform.timers.enter(() -> {
              if (machine.life != life) {
                return;
              }
              if (result.succeeded()) {
                started(machine, ready);
              } else {
                exited(machine, new Exit(1, false, false));
              }
            }));
  }

  private void started(Machine machine, Duration ready) {
    machine.readyAt = platform.now().plus(ready);
    machine.updatedSinceStart = false;
    become(machine, State.STARTED, "start", Source.FLYD);
    machine.readiness = platform.timers.after(ready, () -> journal.seen(machine));
    strikes(Kind.CRASH_LOOP, Action.START, machine)
        .ifPresent(fault -> {
          long after = fault.details().path("after_ms").asLong(2_000);
          Exit exit = Control.exit(fault.details());
          step(
              machine,
              platform.latencies.scaled(Duration.ofMillis(after)),
              () -> exited(machine, exit));
        });
  }

  void stop(Machine machine, Duration timeout) {
    if (machine.state == State.SUSPENDED) {
      ignore(platform.viewers.stop(machine.id));
      become(machine, State.STOPPED, "stop", Source.USER);
      return;
    }
    become(machine, State.STOPPING, "stop", Source.USER);
    step(machine, stopTime(timeout), () -> exited(machine, Exit.requested()));
  }

  /** As long as the process needs, at most as long as it is given. */
  private Duration stopTime(Duration timeout) {
    Duration patience = platform.latencies.scaled(timeout);
    Duration usual = platform.latencies.next(Step.STOP);
    return usual.compareTo(patience) < 0 ? usual : patience;
  }

  void suspend(Machine machine) {
    become(machine, State.SUSPENDING, "suspend", Source.USER);
    step(
        machine,
        platform.latencies.next(Step.SUSPEND),
        () -> {
          ignore(platform.viewers.pause(machine.id));
          become(machine, State.SUSPENDED, "suspend", Source.FLYD);
        });
  }

  void restart(Machine machine, Duration timeout) {
    if (!machine.isRunning()) {
      start(machine);
      return;
    }
    become(machine, State.RESTARTING, "restart", Source.USER);
    step(
        machine,
        stopTime(timeout),
        () -> {
          switchOff(machine);
          ObjectNode payload = Exit.requested().payload(platform.now(), true, 0, exitPlace());
          journal.record(machine, "exit", State.STOPPED, Source.FLYD, payload);
          journal.changed(machine);
          step(machine, platform.latencies.next(Step.START), () -> boot(machine, false));
        });
  }

  /** The process inside has ended: by request, by itself or by a fault. */
  void exited(Machine machine, Exit exit) {
    Instant now = platform.now();
    machine.cancelSteps();
    switchOff(machine);
    Instant windowStart = now.minus(platform.platformSeconds(RestartPolicy.WINDOW.toSeconds()));
    machine.restarts.removeIf(at -> !at.isAfter(windowStart));
    boolean again =
        RestartPolicy.of(machine.config()).restartsAfter(exit, machine.restarts, windowStart);
    ObjectNode payload = exit.payload(now, again, machine.restarts.size(), exitPlace());
    journal.record(machine, "exit", State.STOPPED, Source.FLYD, payload);
    if (again) {
      machine.restarts.add(now);
      become(machine, State.RESTARTING, "restart", Source.FLYD);
      step(machine, platform.latencies.next(Step.START), () -> boot(machine, false));
    } else {
      machine.state = State.STOPPED;
      machine.reapedAt = now.plus(platform.latencies.next(Step.REAP));
      journal.changed(machine);
      if (machine.config().path("auto_destroy").asBoolean(false)) {
        destroy(machine, Source.FLYD);
      }
    }
  }

  private ExitPlace exitPlace() {
    return platform.switches.exitEventUnder();
  }

  /** A stop wipes the root file system, unless the config says to keep it. */
  private void switchOff(Machine machine) {
    String persist = machine.config().path("rootfs").path("persist").asText("never");
    ignore(
        persist.equals("never")
            ? platform.viewers.stop(machine.id)
            : platform.viewers.pause(machine.id));
  }

  // --- change and end ---

  /** Replaces the whole config. A Machine that did not run stays stopped. */
  void update(Machine machine, ObjectNode config, boolean skipLaunch, boolean reverts) {
    State before = machine.state;
    boolean ran = before == State.STARTED || before == State.STARTING;
    machine.cancelSteps();
    machine.updatedSinceStart = true;
    machine.versions.add(new Machine.Version(platform.ids.ulid(platform.now()), config));
    become(machine, State.REPLACING, "update", Source.USER);
    if (reverts) {
      step(machine, platform.latencies.next(Step.REVERT), () -> revert(machine, before));
      return;
    }
    ignore(platform.viewers.stop(machine.id));
    step(
        machine,
        platform.latencies.next(ran ? Step.UPDATE_RUNNING : Step.UPDATE_STOPPED),
        () -> {
          if (ran && !skipLaunch) {
            boot(machine, false);
          } else {
            become(machine, State.STOPPED, "update", Source.FLYD);
          }
        });
  }

  private void revert(Machine machine, State before) {
    machine.versions.removeLast();
    machine.state = before;
    journal.record(machine, "revert", State.STOPPED, Source.FLYD, Json.object());
    journal.changed(machine);
  }

  void destroy(Machine machine, Source source) {
    machine.cancelSteps();
    ignore(platform.viewers.stop(machine.id));
    become(machine, State.DESTROYING, "destroy", source);
    step(machine, platform.latencies.next(Step.DESTROY), () -> destroyed(machine));
  }

  private void destroyed(Machine machine) {
    ignore(platform.viewers.release(machine.id));
    machine.lease = null;
    machine.destroyedAt = platform.now();
    become(machine, State.DESTROYED, "destroy", Source.FLYD);
    platform.timers.after(
        platform.platformSeconds(platform.switches.destroyedRetentionS()),
        () -> machine.app.machines.remove(machine.id, machine));
  }

  /** As if it had never been: for apps that are deleted and for a reset. */
  void erase(Machine machine) {
    machine.cancelSteps();
    ignore(platform.viewers.release(machine.id));
    machine.state = State.DESTROYED;
    Reply gone = Errors.machineNotFound().reply();
    List.copyOf(machine.waiters).forEach(waiter -> waiter.end(gone));
    machine.waiters.clear();
  }

  // --- what happens to hosts ---

  /** Another host, another address, the same id; what ran is started again there. */
  void migrate(Machine machine) {
    boolean ran = machine.isRunning() || machine.state == State.STARTING;
    move(machine);
    if (ran) {
      machine.cancelSteps();
      machine.state = State.STOPPED;
    }
    journal.record(machine, "launch", State.CREATED, Source.FLYD, Json.object());
    journal.changed(machine);
    if (ran) {
      step(machine, platform.latencies.next(Step.MIGRATE), () -> boot(machine, false));
    }
  }

  /** Gives a Machine a new address. */
  void move(Machine machine) {
    ignore(platform.viewers.release(machine.id));
    takeAddress(machine);
  }

  void forgetImages() {
    cachedImages.clear();
  }

  // --- how a change is made ---

  private void become(Machine machine, State state, String type, Source source) {
    journal.become(machine, state, type, source);
  }

  /** Replaces the step under way; what falls due on a silent host waits until it is back. */
  private void step(Machine machine, Duration after, Runnable what) {
    if (machine.pending != null) {
      machine.pending.cancel();
    }
    machine.pending =
        platform.timers.after(
            after,
            () -> {
              machine.pending = null;
              if (machine.isHostDown()) {
                machine.postponed.add(what);
              } else {
                what.run();
              }
            });
  }

  private Optional<Fault> strikes(Kind kind, Action action, Machine machine) {
    return platform.faults.strikes(kind, Occasion.of(action, machine));
  }

  private static Duration share(Duration whole, double part) {
    return Duration.ofNanos(Math.round(whole.toNanos() * part));
  }

  // What runs inside reports failures in its own log; states here do not depend on it.
  private static void ignore(Future<Void> inside) {
    inside.otherwiseEmpty();
  }
}
