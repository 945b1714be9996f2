// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers.Mode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The other side of the curtain: what happens to Machines without a call, which faults are set, and
 * the truth that lists and GET lag behind. World's thread.
 */
final class Control {
  private final Platform platform;
  private final Lifecycle lifecycle;
  private final Leases leases;
  private final Journal journal;
  private final Dns dns;

  Control(Platform platform, Lifecycle lifecycle, Leases leases, Journal journal) {
    this.platform = platform;
    this.lifecycle = lifecycle;
    this.leases = leases;
    this.journal = journal;
    this.dns = new Dns(platform);
  }

  Reply obey(Order order, Map<String, String> path, String name, String body) {
    ObjectNode json = Json.objectFrom(body);
    return switch (order) {
      case INFO, RESET -> throw new IllegalStateException(order + " belongs to the world");
      case LIST_FAULTS -> Reply.ok(platform.faults.toJson());
      case ADD_FAULT -> Reply.of(201, platform.faults.add(json).toJson());
      case CLEAR_FAULTS -> {
        platform.faults.clear();
        yield Reply.empty(204);
      }
      case CLEAR_FAULT -> clearFault(path.getOrDefault("id", ""));
      case GET_SWITCHES -> Reply.ok(platform.switches.toJson());
      case SET_SWITCHES -> {
        platform.switches = platform.switches.with(json);
        yield Reply.ok(platform.switches.toJson());
      }
      case GET_LATENCIES -> Reply.ok(platform.latencies.toJson());
      case SET_LATENCIES -> {
        platform.latencies.patch(json);
        yield Reply.ok(platform.latencies.toJson());
      }
      case DUMP -> Reply.ok(dump());
      case DNS -> Reply.ok(dns.resolve(name));
      case DUMP_ONE, CRASH, HOST_DOWN, HOST_UP, MIGRATE, VIEWER, HOLD_LEASE ->
          toMachine(order, machine(path.getOrDefault("machine", "")), json);
    };
  }

  private Reply toMachine(Order order, Machine machine, ObjectNode json) {
    switch (order) {
      case CRASH -> crash(machine, json);
      case HOST_DOWN -> hostDown(machine);
      case HOST_UP -> hostUp(machine);
      case MIGRATE -> migrate(machine);
      case VIEWER -> viewer(machine, json);
      case HOLD_LEASE -> holdLease(machine, json);
      default -> {
        // Only looked at.
      }
    }
    return Reply.ok(truth(machine));
  }

  private Reply clearFault(String id) {
    if (!platform.faults.clear(id)) {
      throw Errors.notFound("no fault " + id + "; GET /sim/faults lists them");
    }
    return Reply.empty(204);
  }

  private Machine machine(String id) {
    return platform
        .machine(id)
        .orElseThrow(() -> Errors.notFound("no machine " + id + "; GET /sim/machines lists them"));
  }

  private void crash(Machine machine, ObjectNode json) {
    if (!machine.isRunning()) {
      throw Errors.notRunning();
    }
    lifecycle.exited(machine, exit(json));
  }

  /** Reads {@code exit_code} and {@code oom}; an out-of-memory kill is 137 by itself. */
  static Exit exit(ObjectNode json) {
    boolean oom = json.path("oom").asBoolean(false);
    return new Exit(json.path("exit_code").asInt(oom ? 137 : 1), oom, false);
  }

  private void hostDown(Machine machine) {
    if (!machine.isHostDown()) {
      machine.hostDownSince = platform.now();
      // The nearest thing to a dead host that a loopback address can do: nobody answers.
      platform.viewers.mode(machine.id, Mode.HANG);
      journal.changed(machine);
    }
  }

  private void hostUp(Machine machine) {
    if (machine.isHostDown()) {
      machine.hostDownSince = null;
      platform.viewers.mode(machine.id, machine.viewerMode);
      journal.changed(machine);
      List<Runnable> due = List.copyOf(machine.postponed);
      machine.postponed.clear();
      due.forEach(Runnable::run);
    }
  }

  private void migrate(Machine machine) {
    if (machine.state.isGone()) {
      throw Errors.precondition("machine is " + machine.state.wireName());
    }
    machine.hostDownSince = null;
    lifecycle.migrate(machine);
  }

  private void viewer(Machine machine, ObjectNode json) {
    machine.viewerMode = Fault.mode(json);
    platform.viewers.mode(machine.id, machine.viewerMode);
    journal.changed(machine);
  }

  private void holdLease(Machine machine, ObjectNode json) {
    String owner = Json.text(json, "owner");
    machine.lease =
        leases.lease(
            machine,
            platform.now().plus(leases.ttl(Json.number(json, "ttl", 0))),
            owner.isEmpty() ? "someone-else@tokens.fly.io" : owner,
            Json.text(json, "description"));
  }

  private ArrayNode dump() {
    ArrayNode all = Json.array();
    for (App app : platform.apps.values()) {
      app.machines.values().forEach(machine -> all.add(truth(machine)));
    }
    return all;
  }

  /** The Machine as it is, with what no call of the API tells. */
  private JsonNode truth(Machine machine) {
    ObjectNode json = machine.toJson(platform.now());
    json.set("config", machine.config().deepCopy());
    Lease lease = machine.leaseAt(platform.now());
    if (lease != null) {
      json.set("lease", lease.toJson());
    }
    ObjectNode sim =
        json.putObject("sim")
            .put("app", machine.app.name)
            .put("viewer_mode", machine.viewerMode.name().toLowerCase(Locale.ROOT))
            .put("guacd_port", machine.guacdPort)
            .put("rdp_port", machine.rdpPort)
            .put("ready", machine.isRunning() && !platform.now().isBefore(machine.readyAt))
            .put("step_under_way", machine.pending != null)
            .put("waiting_calls", machine.waiters.size())
            .put("blocked_calls", machine.blocked.size());
    sim.put("restarts", machine.restarts.size());
    return json;
  }
}
