// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Policy;
import java.time.Instant;
import java.util.List;

/**
 * Many failures at once point at the prober, the network or the image rather than at each Machine:
 * then nothing is taken away until a round looks better. Machines still booting do not count; their
 * probes are meant to fail.
 *
 * @param probed Machines proven in this boot and probed in this round
 * @param failed those of them whose newest result is a strike
 */
public record Brake(int probed, int failed, boolean on) {

  public static Brake of(List<Machine> machines, Policy.Probing probing, Instant now) {
    Instant roundBegan = now.minus(probing.round());
    int probed = 0;
    int failed = 0;
    for (Machine machine : machines) {
      if (!machine.health().proven() || !machine.health().probedAfter(roundBegan)) continue;
      probed++;
      if (machine.health().strikes() > 0) failed++;
    }
    boolean on = failed >= probing.brakeAtLeast() && failed > probed * probing.brakeShare();
    return new Brake(probed, failed, on);
  }
}
