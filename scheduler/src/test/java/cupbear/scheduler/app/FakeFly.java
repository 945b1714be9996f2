// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Fly that does at once what it is told, writes it down, and fails when asked to. */
final class FakeFly implements Machines {
  final List<String> calls = new ArrayList<>();
  final Map<MachineId, Listed> machines = new TreeMap<>();
  final List<Command> commands = new ArrayList<>();
  int exitCode;
  FlyTrouble.@Nullable Kind trouble;
  boolean silent;
  @Nullable Instant createdAt;
  private final Time time;
  private int made;

  FakeFly(Time time) {
    this.time = time;
  }

  /** Calls that change something. */
  List<String> deeds() {
    return calls.stream().filter(call -> !call.equals("list") && !call.startsWith("look")).toList();
  }

  @Override
  public Future<AppList> list() {
    return answer("list", () -> new AppList(time.now(), List.copyOf(machines.values())));
  }

  @Override
  public Future<Optional<Listed>> look(MachineId machine) {
    return answer("look " + machine, () -> Optional.ofNullable(machines.get(machine)));
  }

  @Override
  public Future<Listed> create(Order order) {
    return answer("create " + order.name(), () -> made(order));
  }

  private Listed made(Order order) {
    MachineId id = new MachineId("m" + ++made);
    Listed listed =
        new Listed(
            id,
            order.name(),
            order.region(),
            true,
            Power.RUNNING,
            "fdaa::" + made,
            true,
            null,
            null,
            createdAt == null ? time.now() : createdAt,
            order.tags());
    machines.put(id, listed);
    return listed;
  }

  @Override
  public Future<Void> start(MachineId machine) {
    return answer("start " + machine, () -> power(machine, Power.RUNNING));
  }

  @Override
  public Future<Void> stop(MachineId machine) {
    return answer("stop " + machine, () -> power(machine, Power.STOPPED));
  }

  private @Nullable Void power(MachineId machine, Power power) {
    machines.computeIfPresent(machine, (any, each) -> with(each, power, time.now(), each.tags()));
    return null;
  }

  private static Listed with(
      Listed each, Power power, @Nullable Instant since, Map<String, String> tags) {
    return new Listed(
        each.id(),
        each.name(),
        each.region(),
        each.ours(),
        power,
        each.address(),
        true,
        since,
        null,
        each.createdAt(),
        tags);
  }

  @Override
  public Future<Void> destroy(MachineId machine) {
    return answer(
        "destroy " + machine,
        () -> {
          machines.remove(machine);
          return null;
        });
  }

  @Override
  public Future<Void> retag(MachineId machine, Map<String, String> tags) {
    return answer(
        "retag " + machine,
        () -> {
          machines.computeIfPresent(
              machine,
              (any, each) -> {
                Map<String, String> next = new TreeMap<>(each.tags());
                next.putAll(tags);
                return with(each, each.power(), each.since(), next);
              });
          return null;
        });
  }

  @Override
  public Future<Ran> exec(MachineId machine, Command command) {
    commands.add(command);
    return answer("exec " + machine, () -> new Ran(exitCode, "it said no"));
  }

  @Override
  public Future<Optional<Listed>> awaitDown(MachineId machine) {
    return Promise.<Optional<Listed>>promise().future();
  }

  private <T> Future<T> answer(String call, Supplier<T> work) {
    calls.add(call);
    if (silent) return Promise.<T>promise().future();
    if (trouble != null) return Future.failedFuture(new FlyTrouble(trouble, "as the test says"));
    return Future.succeededFuture(work.get());
  }
}
