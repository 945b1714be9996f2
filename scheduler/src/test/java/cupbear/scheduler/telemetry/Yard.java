// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A Fly that does at once what it is told, and remembers what was said to it. */
final class Yard implements Machines {
  final Map<MachineId, Listed> machines = new ConcurrentHashMap<>();
  final List<Map<String, String>> tags = new CopyOnWriteArrayList<>();
  final List<String> stdin = new CopyOnWriteArrayList<>();
  private final AtomicInteger made = new AtomicInteger();

  @Override
  public Future<AppList> list() {
    return Future.succeededFuture(new AppList(Instant.now(), List.copyOf(machines.values())));
  }

  @Override
  public Future<Optional<Listed>> look(MachineId machine) {
    return Future.succeededFuture(Optional.ofNullable(machines.get(machine)));
  }

  @Override
  public Future<Listed> create(Order order) {
    int number = made.incrementAndGet();
    Listed machine =
        new Listed(
            new MachineId("m" + number),
            order.name(),
            order.region(),
            true,
            Power.RUNNING,
            "fdaa::" + number,
            true,
            null,
            null,
            Instant.now(),
            order.tags());
    machines.put(machine.id(), machine);
    return Future.succeededFuture(machine);
  }

  @Override
  public Future<Void> start(MachineId machine) {
    return power(machine, Power.RUNNING);
  }

  @Override
  public Future<Void> stop(MachineId machine) {
    return power(machine, Power.STOPPED);
  }

  @Override
  public Future<Void> destroy(MachineId machine) {
    machines.remove(machine);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> retag(MachineId machine, Map<String, String> next) {
    tags.add(next);
    return change(machine, it -> with(it, it.power(), next));
  }

  @Override
  public Future<Ran> exec(MachineId machine, Command command) {
    stdin.add(command.stdin());
    return Future.succeededFuture(new Ran(0, ""));
  }

  @Override
  public Future<Optional<Listed>> awaitDown(MachineId machine) {
    return Future.succeededFuture(Optional.empty());
  }

  private Future<Void> power(MachineId machine, Power power) {
    return change(machine, it -> with(it, power, it.tags()));
  }

  private Future<Void> change(MachineId machine, java.util.function.UnaryOperator<Listed> how) {
    machines.computeIfPresent(machine, (id, it) -> how.apply(it));
    return Future.succeededFuture();
  }

  private static Listed with(Listed it, Power power, Map<String, String> tags) {
    return new Listed(
        it.id(),
        it.name(),
        it.region(),
        it.ours(),
        power,
        it.address(),
        it.hostOk(),
        it.since(),
        it.exitedAt(),
        it.createdAt(),
        tags);
  }
}
