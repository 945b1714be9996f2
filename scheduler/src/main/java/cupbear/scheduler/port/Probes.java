// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Verdict;
import io.vertx.core.Future;

/**
 * Asks a Machine what a hung server cannot answer. One probe per Machine at a time; never fails:
 * what goes wrong on our side is {@link Verdict#PROBER_FAULT}.
 */
public interface Probes {
  Future<Answer> probe(PoolName pool, MachineId machine, String address, Depth depth);

  /** How much is asked. */
  enum Depth {
    /** guacd alone: one round trip. */
    GUACD,
    /** guacd, then RDP to the pool's depth. */
    FULL,
    /** As full, and whether guacd has its RDP plugin: once per boot. */
    FIRST
  }

  /**
   * What it said.
   *
   * @param depth how far the answer reaches: a full probe that failed at guacd says GUACD
   * @param detail one sentence for people
   */
  record Answer(Verdict verdict, Depth depth, String detail) {}
}
