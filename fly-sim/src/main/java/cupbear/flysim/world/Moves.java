// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Event.Source;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import io.vertx.core.Future;
import java.time.Duration;

/** Start, stop, suspend, restart, cordon and delete: when they are allowed. World's thread. */
final class Moves {
  private final Platform platform;
  private final Lifecycle lifecycle;
  private final Leases leases;
  private final Journal journal;

  Moves(Platform platform, Lifecycle lifecycle, Leases leases, Journal journal) {
    this.platform = platform;
    this.lifecycle = lifecycle;
    this.leases = leases;
    this.journal = journal;
  }

  Reply start(Request request) {
    Machine machine = request.machine();
    leases.guard(request);
    Occasion occasion = Occasion.of(Action.START, machine);
    if (machine.updatedSinceStart
        && platform.faults.strikes(Kind.START_LOST, occasion).isPresent()) {
      return accepted(machine.state, false);
    }
    refuseStartFrom(machine);
    if (machine.state == State.STARTED) {
      return accepted(State.STARTED, false);
    }
    platform
        .faults
        .strikes(Kind.CAPACITY_HOST, occasion)
        .ifPresent(full -> {
          throw Errors.hostFull(full.details().path("resource").asText("CPUs"));
        });
    State before = machine.state;
    var error = platform.faults.strikes(Kind.START_ERROR, occasion);
    if (error.isPresent()) {
      String message = error.get().details().path("message").asText("failed to start machine");
      ObjectNode body = answer(before, false).put("status", "error").put("message", message);
      return Reply.ok(body);
    }
    boolean migrated = platform.faults.strikes(Kind.START_MIGRATES, occasion).isPresent();
    if (migrated) {
      lifecycle.move(machine);
    }
    lifecycle.start(machine);
    return accepted(before, migrated);
  }

  private void refuseStartFrom(Machine machine) {
    switch (machine.state) {
      case STARTED -> {
        if (platform.switches.startOnStarted() == Switches.Verdict.REFUSE) {
          throw Errors.aborted("machine still attempting to start");
        }
      }
      case STARTING, RESTARTING -> throw Errors.aborted("machine still attempting to start");
      case REPLACING -> throw Errors.precondition("machine getting replaced, refusing to start");
      case STOPPED -> {
        if (platform.now().isBefore(machine.reapedAt)) {
          throw Errors.precondition("machine still active, refusing to start");
        }
      }
      case STOPPING -> throw Errors.precondition("machine still active, refusing to start");
      case SUSPENDED, SUSPENDING, FAILED -> {
        // Fine.
      }
      case CREATED -> {
        // Unpacked and resting there, or still unpacking.
        if (machine.pending != null) {
          throw Errors.cannotStartFrom(machine.state);
        }
      }
      case LAUNCH_FAILED, DESTROYING, DESTROYED -> throw Errors.cannotStartFrom(machine.state);
    }
  }

  private Reply accepted(State before, boolean migrated) {
    return Reply.ok(answer(before, migrated));
  }

  private ObjectNode answer(State before, boolean migrated) {
    return Json.object()
        .put("previous_state", before.wireName())
        .put("migrated", migrated)
        .put("new_host", migrated ? platform.ids.hex(4) : "");
  }

  Future<Reply> stop(Request request) {
    Machine machine = request.machine();
    ObjectNode body = request.body();
    String signal = Json.text(body, "signal");
    if (!signal.isEmpty() && !ConfigRules.STOP_SIGNALS.contains(signal)) {
      throw Errors.invalid("signal must be one of " + ConfigRules.STOP_SIGNALS);
    }
    JsonNode given = body.path("timeout");
    Duration timeout =
        given.isMissingNode() || given.isNull() || given.asText().isEmpty()
            ? ConfigRules.stopTimeout(machine.config())
            : GoDuration.from(given, "timeout");
    if (timeout.compareTo(ConfigRules.LONGEST_STOP) > 0) {
      throw Errors.invalid("timeout must be at most 300s");
    }
    return leases.whenFree(request, () -> stopNow(machine, timeout));
  }

  private Reply stopNow(Machine machine, Duration timeout) {
    switch (machine.state) {
      case STARTED, STARTING, RESTARTING, SUSPENDING, SUSPENDED -> lifecycle.stop(machine, timeout);
      case STOPPED, STOPPING -> {
        // Already so.
      }
      case CREATED, REPLACING, FAILED, LAUNCH_FAILED, DESTROYING, DESTROYED ->
          throw Errors.precondition(
              "unable to stop machine from current state: '%s'"
                  .formatted(machine.state.wireName()));
    }
    return Reply.done();
  }

  Reply suspend(Request request) {
    Machine machine = request.machine();
    leases.guard(request);
    if (machine.state == State.SUSPENDED || machine.state == State.SUSPENDING) {
      return Reply.done();
    }
    if (!machine.isRunning()) {
      throw Errors.precondition(
          "unable to suspend machine from current state: '%s'".formatted(machine.state.wireName()));
    }
    String obstacle = ConfigRules.suspendObstacle(machine.config());
    if (!obstacle.isEmpty()) {
      throw Errors.precondition(obstacle);
    }
    lifecycle.suspend(machine);
    return Reply.done();
  }

  Reply restart(Request request) {
    Machine machine = request.machine();
    leases.guard(request);
    String given = request.call().query("timeout");
    Duration timeout =
        given.isEmpty()
            ? ConfigRules.stopTimeout(machine.config())
            : GoDuration.parseOrSeconds(given, "timeout");
    String signal = request.call().query("signal");
    if (!signal.isEmpty() && !ConfigRules.STOP_SIGNALS.contains(signal)) {
      throw Errors.invalid("signal must be one of " + ConfigRules.STOP_SIGNALS);
    }
    if (!machine.isRunning()) {
      refuseStartFrom(machine);
    }
    boolean force = request.call().flag("force_stop");
    lifecycle.restart(machine, force ? Duration.ZERO : timeout);
    return Reply.done();
  }

  Reply cordon(Request request, boolean cordoned) {
    Machine machine = request.machine();
    leases.guard(request);
    if (machine.state.isGone()) {
      throw Errors.precondition("machine is " + machine.state.wireName());
    }
    machine.cordoned = cordoned;
    journal.changed(machine);
    return Reply.done();
  }

  Future<Reply> delete(Request request) {
    boolean force = request.call().flag("force") || request.call().flag("kill");
    return leases.whenFree(request, () -> deleteNow(request.machine(), force));
  }

  private Reply deleteNow(Machine machine, boolean force) {
    boolean idle =
        switch (machine.state) {
          case STOPPED, SUSPENDED, FAILED, CREATED -> true;
          case STARTING, STARTED, STOPPING, SUSPENDING, RESTARTING, REPLACING -> false;
          case LAUNCH_FAILED, DESTROYING, DESTROYED -> true;
        };
    if (!idle && !force) {
      throw Errors.precondition(
          "unable to destroy machine, not currently stopped, suspended, failed or created");
    }
    if (!machine.state.isGone()) {
      lifecycle.destroy(machine, Source.USER);
    }
    return Reply.done();
  }
}
