// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.StoreTrouble;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which generation of each pool one replica works with. A replica that knew another one has to look
 * (and, during a recovery, to report) before anything is done for it; a new one knows nothing that
 * it could report, and takes what is there. The Redis adapter sends the number with every script.
 */
final class Belief {
  private final Map<PoolName, Long> generations = new TreeMap<>();

  /** Learns from an answer of {@link Recovering#look}. */
  void seen(PoolName pool, StoreState state) {
    if (state instanceof StoreState.Ready ready) generations.put(pool, ready.generation());
    else generations.putIfAbsent(pool, state.generation());
  }

  /** Has told what it remembers. */
  void reported(PoolName pool, StoreState state) {
    generations.put(pool, state.generation());
  }

  Generation require(Step step) {
    Generation generation = step.pool.generation;
    if (generation == null || !generation.server.equals(step.server)) {
      throw recovering("the store has lost data; look at its state first");
    }
    Long known = generations.putIfAbsent(step.pool.name, generation.number);
    if (known != null && known != generation.number) {
      throw recovering("the store has been rebuilt since; report what you remember");
    }
    new Recovering(step).settle(generation);
    return generation;
  }

  /** The book of a region is complete once its leader has reported. */
  void requireRegion(Step step, Region region) {
    if (!require(step).regions.contains(region)) {
      throw recovering("the leader of " + region + " has not reported yet");
    }
  }

  void requireMandate(Step step, Mandate mandate) {
    require(step);
    if (!step.pool.leaders.holds(mandate, step.now)) {
      throw new StoreTrouble(
          StoreTrouble.Kind.FENCED, "somebody else leads %s".formatted(mandate.region()));
    }
  }

  private static StoreTrouble recovering(String why) {
    return new StoreTrouble(StoreTrouble.Kind.RECOVERING, why);
  }
}
