// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.api.ReadyCheck;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.StoreHealth;
import cupbear.scheduler.model.PoolName;
import java.util.List;

/** Whether a session request sent here can be answered with a Machine, pool by pool. */
final class Readiness {
  private Readiness() {}

  static List<ReadyCheck> checks(Pools pools, StoreHealth store) {
    return pools.all().keySet().stream()
        .<ReadyCheck>map(pool -> () -> finding(pool, store.of(pool)))
        .toList();
  }

  private static ReadyCheck.Finding finding(PoolName pool, StoreHealth.Condition condition) {
    return switch (condition) {
      case StoreHealth.Condition.Fine fine ->
          new ReadyCheck.Finding(true, "store of pool %s is whole".formatted(pool));
      case StoreHealth.Condition.Unknown unknown ->
          new ReadyCheck.Finding(false, "store of pool %s was not heard yet".formatted(pool));
      case StoreHealth.Condition.Silent silent ->
          new ReadyCheck.Finding(
              false,
              "store of pool %s is silent for %ds: is Redis reachable?"
                  .formatted(pool, silent.since().toSeconds()));
      case StoreHealth.Condition.Recovering recovering ->
          new ReadyCheck.Finding(
              false, "store of pool %s lost data and is being rebuilt".formatted(pool));
    };
  }
}
