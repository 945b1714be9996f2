// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.PoolName;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The declared pools, as they are now. Read by any thread; swapped whole. */
public final class Pools {
  private volatile SortedMap<PoolName, PoolSpec> current;

  public Pools(Collection<PoolSpec> pools) {
    current = index(pools);
  }

  public SortedMap<PoolName, PoolSpec> all() {
    return current;
  }

  public Optional<PoolSpec> find(PoolName name) {
    return Optional.ofNullable(all().get(name));
  }

  public void swap(Collection<PoolSpec> pools) {
    current = index(pools);
  }

  private static SortedMap<PoolName, PoolSpec> index(Collection<PoolSpec> pools) {
    SortedMap<PoolName, PoolSpec> byName = new TreeMap<>();
    pools.forEach(pool -> byName.put(pool.name(), pool));
    return Collections.unmodifiableSortedMap(byName);
  }
}
