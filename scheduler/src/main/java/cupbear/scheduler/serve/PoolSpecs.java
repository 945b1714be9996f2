// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.config.PoolSettings;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Machines.Command;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the settings say about the pools, in the words of those who serve them. */
final class PoolSpecs {
  private PoolSpecs() {}

  static List<PoolSpec> of(Settings settings) {
    return settings.pools().values().stream().map(pool -> spec(settings, pool)).toList();
  }

  private static PoolSpec spec(Settings settings, PoolSettings pool) {
    return new PoolSpec(
        pool.name(),
        settings.fly().app(),
        pool.placement(),
        regions(settings, pool),
        pool.policy(),
        terms(pool),
        serving(pool),
        handling(pool),
        pool.labels());
  }

  /** Operators' marks are kept in the store, not in the settings. */
  private static Map<Region, Desired> regions(Settings settings, PoolSettings pool) {
    Map<Region, Desired> regions = new TreeMap<>();
    for (Region region : pool.regions().keySet()) {
      regions.put(region, pool.desired(region, settings.tags(), Set.of(), Set.of()));
    }
    return regions;
  }

  private static Terms terms(PoolSettings pool) {
    PoolSettings.Sessions sessions = pool.sessions();
    return new Terms(
        sessions.confirmWithin(),
        sessions.lease(),
        sessions.maxDuration(),
        sessions.idempotency(),
        sessions.queueMax(),
        switch (pool.failover()) {
          case REPLACE -> Terms.Failover.REPLACE;
          case NOTIFY -> Terms.Failover.NOTIFY;
          case NONE -> Terms.Failover.NONE;
        });
  }

  private static PoolSpec.Serving serving(PoolSettings pool) {
    return new PoolSpec.Serving(
        pool.sessions().waitDefault(),
        pool.sessions().waitMax(),
        pool.probes().guacdTrust(),
        pool.probes().rdpTrust(),
        pool.probes().guacdPort(),
        pool.probes().rdpPort());
  }

  private static PoolSpec.Handling handling(PoolSettings pool) {
    PoolSettings.Staging staging = pool.staging();
    return new PoolSpec.Handling(
        new Command(staging.run(), "", staging.deadline()),
        pool.ending().teardown().stream()
            .map(step -> new Command(step.run(), "", step.deadline()))
            .toList());
  }
}
