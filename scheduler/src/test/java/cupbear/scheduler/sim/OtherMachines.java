// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Machines like other ones, but for what is overridden. */
class OtherMachines implements Machines {
  private final Machines real;

  OtherMachines(Machines real) {
    this.real = real;
  }

  @Override
  public Future<AppList> list() {
    return real.list();
  }

  @Override
  public Future<Optional<Listed>> look(MachineId machine) {
    return real.look(machine);
  }

  @Override
  public Future<Listed> create(Order order) {
    return real.create(order);
  }

  @Override
  public Future<Void> start(MachineId machine) {
    return real.start(machine);
  }

  @Override
  public Future<Void> stop(MachineId machine) {
    return real.stop(machine);
  }

  @Override
  public Future<Void> destroy(MachineId machine) {
    return real.destroy(machine);
  }

  @Override
  public Future<Void> retag(MachineId machine, Map<String, String> tags) {
    return real.retag(machine, tags);
  }

  @Override
  public Future<Ran> exec(MachineId machine, Command command) {
    return real.exec(machine, command);
  }

  @Override
  public Future<Optional<Listed>> awaitDown(MachineId machine) {
    return real.awaitDown(machine);
  }
}
