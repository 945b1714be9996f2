// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Machines of one Fly app. Futures fail with {@link FlyTrouble} only; each call ends within its
 * own deadline, however Fly behaves.
 */
public interface Machines {
  /** All Machines of the app, every pool and region, ours and foreign; it may lag. */
  Future<AppList> list();

  /** One Machine, fresher than the list; empty when Fly does not have it. */
  Future<Optional<Listed>> look(MachineId machine);

  /** Makes a Machine, or finds the one that a lost answer made under the same name. */
  Future<Listed> create(Order order);

  /** Accepted, not yet running; a Machine that runs already is fine. */
  Future<Void> start(MachineId machine);

  /** Accepted, not yet stopped; a Machine that is down or gone already is fine. */
  Future<Void> stop(MachineId machine);

  /** Accepted, not yet gone; one that is gone already is fine. */
  Future<Void> destroy(MachineId machine);

  Future<Void> retag(MachineId machine, Map<String, String> tags);

  /** Runs a command in a Machine; a failing command is a normal answer. */
  Future<Ran> exec(MachineId machine, Command command);

  /** Ends as soon as Fly says that a running Machine is down, or with empty after a while. */
  Future<Optional<Listed>> awaitDown(MachineId machine);

  /**
   * One list.
   *
   * @param at when it was asked for: what it shows may be older, not younger
   */
  record AppList(Instant at, List<Listed> machines) {
    public AppList {
      machines = List.copyOf(machines);
    }
  }

  /** A command; what it reads on standard input may be secret and is never printed. */
  record Command(List<String> words, String stdin, Duration deadline) {
    public Command {
      words = List.copyOf(words);
    }

    @Override
    public String toString() {
      return words.isEmpty() ? "nothing" : words.getFirst();
    }
  }

  record Ran(int exitCode, String stderr) {}
}
