// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionStatus;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How each region stood lately, as far as this replica heard. Any thread. */
public final class RegionBoard {
  private final ConcurrentMap<String, RegionStatus> newest = new ConcurrentHashMap<>();

  public void publish(RegionStatus status) {
    newest.put(status.pool() + "/" + status.region(), status);
  }

  public Collection<RegionStatus> of(PoolName pool) {
    return newest.values().stream().filter(status -> status.pool().equals(pool)).toList();
  }
}
