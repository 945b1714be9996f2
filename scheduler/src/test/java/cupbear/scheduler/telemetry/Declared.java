// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Pools for tests. */
final class Declared {
  private Declared() {}

  static PoolSpec pool(PoolName name, int warmMin, boolean credentials, String... regions) {
    return pool(name, warmMin, credentials, PoolSpec.Serving.DEFAULT, regions);
  }

  /** Every proof is too old here. */
  static PoolSpec withoutTrust(PoolName name, int warmMin, String... regions) {
    PoolSpec.Serving usual = PoolSpec.Serving.DEFAULT;
    PoolSpec.Serving doubting =
        new PoolSpec.Serving(
            usual.patience(),
            usual.patienceMost(),
            Duration.ZERO,
            Duration.ZERO,
            usual.guacdPort(),
            usual.rdpPort());
    return pool(name, warmMin, false, doubting, regions);
  }

  private static PoolSpec pool(
      PoolName name,
      int warmMin,
      boolean credentials,
      PoolSpec.Serving serving,
      String... regions) {
    Desired desired =
        new Desired(
            new Template(
                new TemplateVersion("7"),
                "viewer@sha256:0",
                new Template.Guest("shared", 2, 2048),
                Map.of()),
            new Desired.Bounds(warmMin, warmMin + 2, 4),
            credentials,
            false,
            Desired.AfterSession.RECYCLE,
            new Desired.Budget(100, 0.5),
            Map.of(),
            Set.of(),
            Set.of());
    List<Region> all = Stream.of(regions).map(Region::new).toList();
    Map<Region, Desired> declared = new TreeMap<>();
    all.forEach(region -> declared.put(region, desired));
    return new PoolSpec(
        name,
        "cupbear-viewer",
        new Placement.Rules(all, Map.of(), null),
        declared,
        Policy.DEFAULT,
        Terms.DEFAULT,
        serving,
        PoolSpec.Handling.DEFAULT,
        Map.of());
  }
}
