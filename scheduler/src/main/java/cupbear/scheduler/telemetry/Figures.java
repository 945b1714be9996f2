// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The series of what is declared: made when a pool or region is, removed when it is no more. And
 * the figures that every replica reads from the store, so that they are there, and right, when a
 * region has no leader. Any thread.
 */
final class Figures {
  private final MeterRegistry registry;
  private final LongSupplier nanos;
  private final Map<PoolName, PoolMeters> pools = new ConcurrentHashMap<>();
  private final Map<PoolName, Map<Region, RegionMeters>> regions = new ConcurrentHashMap<>();

  Figures(MeterRegistry registry, LongSupplier nanos) {
    this.registry = registry;
    this.nanos = nanos;
  }

  /** Makes series for what is declared, and takes away those of what is not. */
  synchronized void declare(Pools declared, RegionBoard board) {
    for (PoolSpec spec : declared.all().values()) {
      PoolName pool = spec.name();
      pools.computeIfAbsent(pool, any -> new PoolMeters(registry, pool, nanos));
      Map<Region, RegionMeters> mine =
          regions.computeIfAbsent(pool, any -> new ConcurrentHashMap<>());
      spec.regions().forEach((region, desired) -> declare(mine, pool, region, desired, board));
      retain(mine, spec.regions().keySet());
    }
    Set<PoolName> gone = new HashSet<>(pools.keySet());
    gone.removeAll(declared.all().keySet());
    gone.forEach(this::forget);
  }

  private void declare(
      Map<Region, RegionMeters> mine,
      PoolName pool,
      Region region,
      Desired desired,
      RegionBoard board) {
    RegionMeters meters =
        mine.computeIfAbsent(region, any -> new RegionMeters(registry, pool, region, nanos));
    meters.declare(desired);
    meters.watch(board);
  }

  private void forget(PoolName pool) {
    PoolMeters meters = pools.remove(pool);
    if (meters != null) meters.remove();
    Map<Region, RegionMeters> left = regions.remove(pool);
    if (left != null) retain(left, Set.of());
  }

  private static void retain(Map<Region, RegionMeters> mine, Set<Region> declared) {
    mine.forEach((region, meters) -> {
      if (declared.contains(region)) return;
      mine.remove(region);
      meters.remove();
    });
  }

  /** Reads the store once. */
  void look(Fleet fleet) {
    for (PoolSpec spec : fleet.pools().all().values()) {
      fleet
          .pool(spec)
          .onComplete((view, failure) -> {
            PoolMeters pool = pools.get(spec.name());
            if (pool != null) pool.looked(failure == null);
            if (failure == null) view.regions().forEach(each -> tell(spec.name(), each));
          });
    }
  }

  private void tell(PoolName pool, Fleet.RegionView view) {
    RegionMeters meters = find(pool, view.region());
    if (meters != null) meters.tell(view);
  }

  /** Null when it is not declared (any more): nothing is counted for it. */
  @Nullable RegionMeters find(PoolName pool, Region region) {
    Map<Region, RegionMeters> mine = regions.get(pool);
    return mine == null ? null : mine.get(region);
  }

  @Nullable PoolMeters find(PoolName pool) {
    return pools.get(pool);
  }
}
