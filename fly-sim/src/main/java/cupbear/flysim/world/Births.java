// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import java.util.List;
import java.util.Optional;

/** Creating and updating Machines, and reading one. World's thread. */
final class Births {
  private final Platform platform;
  private final Lifecycle lifecycle;
  private final Leases leases;

  Births(Platform platform, Lifecycle lifecycle, Leases leases) {
    this.platform = platform;
    this.lifecycle = lifecycle;
    this.leases = leases;
  }

  Reply create(Request request) {
    App app = request.app();
    ObjectNode body = request.body();
    ObjectNode config = ConfigRules.accept(body.path("config"), platform.switches);
    String name = Json.text(body, "name");
    List<String> regions = Regions.candidates(Json.text(body, "region"), platform.chance);
    long ttl = Json.number(body, "lease_ttl", 0);
    leases.ttl(ttl);
    Occasion occasion = new Occasion(Action.CREATE, app.name, "", name, regions.getFirst());
    if (platform.faults.strikes(Kind.MANIFEST_UNKNOWN, occasion).isPresent()) {
      throw Errors.manifestUnknown(config.path("image").asText());
    }
    if (!name.isEmpty()) {
      app.named(name)
          .ifPresent(holder -> {
            throw Errors.machineNameTaken(holder);
          });
    }
    refuseOverLimit(app, occasion);
    Machine machine =
        lifecycle.create(
            app,
            new Lifecycle.Birth(
                name.isEmpty() ? inventedName() : name,
                regionWithRoom(app, name, regions),
                config,
                Json.flag(body, "skip_launch"),
                Json.flag(body, "skip_service_registration")));
    ObjectNode json = machine.history.latest();
    if (ttl > 0) {
      Lease lease =
          leases.lease(machine, platform.now().plus(leases.ttl(ttl)), request.token().user(), "");
      machine.lease = lease;
      json.put("nonce", lease.nonce());
    }
    return Reply.ok(json);
  }

  private void refuseOverLimit(App app, Occasion occasion) {
    Optional<Fault> limit = platform.faults.strikes(Kind.ORG_MACHINE_LIMIT, occasion);
    long live =
        platform.apps.values().stream()
            .filter(other -> other.org.equals(app.org))
            .mapToLong(App::liveMachines)
            .sum();
    if (limit.isPresent() && live >= limit.get().details().path("limit").asLong(50)) {
      throw Errors.machineLimit();
    }
  }

  private String regionWithRoom(App app, String name, List<String> regions) {
    for (String region : regions) {
      Occasion there = new Occasion(Action.CREATE, app.name, "", name, region);
      if (platform.faults.strikes(Kind.CAPACITY_REGION, there).isEmpty()) {
        return region;
      }
    }
    throw Errors.noCapacityInRegion(String.join(",", regions));
  }

  private String inventedName() {
    return "machine-" + platform.ids.hex(6);
  }

  Reply get(Request request) {
    ObjectNode json = request.machine().history.read(platform.now());
    if (request.call().flag("include_leases")) {
      Lists.addLease(json, request.machine(), platform.now());
    }
    return Reply.ok(json);
  }

  Reply update(Request request) {
    Machine machine = request.machine();
    leases.guard(request);
    ObjectNode body = request.body();
    ObjectNode config = ConfigRules.accept(body.path("config"), platform.switches);
    unchanged("name", Json.text(body, "name"), machine.name);
    unchanged("region", Json.text(body, "region"), machine.region);
    String version = Json.text(body, "current_version");
    if (!version.isEmpty() && !version.equals(machine.instanceId())) {
      throw Errors.aborted(
          "current_version %s is outdated, the machine is at version %s"
              .formatted(version, machine.instanceId()));
    }
    refuseUpdateFrom(machine.state);
    Optional<Fault> full =
        platform.faults.strikes(Kind.CAPACITY_HOST, Occasion.of(Action.UPDATE, machine));
    boolean reverts = full.isPresent() && full.get().details().path("revert").asBoolean(false);
    if (full.isPresent() && !reverts) {
      throw Errors.hostFull(full.get().details().path("resource").asText("memory"));
    }
    lifecycle.update(machine, config, Json.flag(body, "skip_launch"), reverts);
    return Reply.ok(machine.history.latest());
  }

  private static void unchanged(String field, String wanted, String is) {
    if (!wanted.isEmpty() && !wanted.equals(is)) {
      throw Errors.invalid(field + " cannot be changed");
    }
  }

  private static void refuseUpdateFrom(State state) {
    switch (state) {
      case STARTED, STARTING, STOPPED, SUSPENDED, FAILED -> {
        // Fine.
      }
      case REPLACING -> throw Errors.aborted("machine update failed due to concurrent update");
      case CREATED, STOPPING, SUSPENDING, RESTARTING, LAUNCH_FAILED, DESTROYING, DESTROYED ->
          throw Errors.precondition(
              "unable to update machine from current state: '%s'".formatted(state.wireName()));
    }
  }
}
