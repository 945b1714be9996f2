// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * One scheduler's prober. It tells the truth about the Machine, but for flaps (a healthy one does
 * not answer in time) and faults of its own. It never calls a dead Machine healthy.
 */
final class SimProbes implements Probes {
  /** How one scheduler's prober behaves at the moment. */
  static final class Weather {
    double flapShare;
    double faultShare;

    /** Cut off from all Machines: every probe fails. */
    boolean blind;

    void clear() {
      flapShare = 0;
      faultShare = 0;
      blind = false;
    }
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Agenda agenda;
  private final Dice dice;
  private final SimFly fly;
  private final SimProcess process;
  final Weather weather = new Weather();

  SimProbes(Agenda agenda, Dice dice, SimFly fly, SimProcess process) {
    this.agenda = agenda;
    this.dice = dice;
    this.fly = fly;
    this.process = process;
  }

  @Override
  public Future<Answer> probe(PoolName pool, MachineId machine, String address, Depth depth) {
    Promise<Answer> promise = Promise.promise();
    Duration there = depth == Depth.GUACD ? dice.millis(1, 8) : dice.millis(10, 80);
    agenda.after(
        there,
        () -> {
          Verdict verdict = verdict(machine, address);
          boolean silent = verdict == Verdict.STRIKE;
          Depth reached = silent ? Depth.GUACD : depth;
          Answer answer = new Answer(verdict, reached, silent ? "no answer" : "answered");
          Duration back = silent ? TIMEOUT : dice.millis(1, 4);
          agenda.after(back, () -> process.enter(() -> promise.tryComplete(answer)));
        });
    return promise.future();
  }

  private Verdict verdict(MachineId id, String address) {
    if (dice.chance(weather.faultShare)) return Verdict.PROBER_FAULT;
    if (weather.blind || dice.chance(weather.flapShare)) return Verdict.STRIKE;
    SimMachine machine = fly.machine(id);
    boolean answers =
        machine != null && machine.address.equals(address) && machine.isHealthy(agenda.nanos());
    return answers ? Verdict.HEALTHY : Verdict.STRIKE;
  }
}
