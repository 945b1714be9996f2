// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Desired.AfterSession;
import cupbear.scheduler.model.Desired.Bounds;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Machines.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pool of a run: small, in three regions, and different with each seed. */
final class SimPool {
  static final PoolName NAME = new PoolName("viewers");
  static final String APP = "cupbear-sim";
  static final List<Region> REGIONS =
      List.of(new Region("iad"), new Region("lhr"), new Region("nrt"));

  private final SortedMap<Region, Bounds> bounds = new TreeMap<>();
  private final boolean credentials;
  private final boolean playbook;
  private final AfterSession afterSession;
  private final Terms terms;
  private final Policy policy;
  private int version = 7;

  SimPool(Dice dice, Policy policy) {
    this.policy = policy;
    for (Region region : REGIONS) {
      int least = 2 + dice.below(3);
      bounds.put(region, new Bounds(least, least + 1 + dice.below(3), dice.below(4)));
    }
    credentials = dice.chance(0.7);
    playbook = dice.chance(0.5);
    afterSession = dice.chance(0.2) ? AfterSession.DESTROY : AfterSession.RECYCLE;
    Terms usual = Terms.DEFAULT;
    terms =
        new Terms(
            usual.confirmWithin(),
            usual.lease(),
            usual.maxSession(),
            usual.keyKept(),
            usual.queueMax(),
            dice.pick(List.of(Terms.Failover.values())));
  }

  /** A new template: the pool has to roll. */
  void roll() {
    version++;
  }

  Terms terms() {
    return terms;
  }

  Bounds bounds(Region region) {
    Bounds found = bounds.get(region);
    if (found == null) throw new IllegalArgumentException("no region " + region);
    return found;
  }

  PoolSpec spec() {
    SortedMap<Region, Desired> regions = new TreeMap<>();
    bounds.forEach((region, each) -> regions.put(region, desired(each)));
    Command stage = new Command(List.of("stage"), "", Duration.ofSeconds(10));
    Command clean = new Command(List.of("clean"), "", Duration.ofSeconds(10));
    return new PoolSpec(
        NAME,
        APP,
        new Placement.Rules(REGIONS, Map.of(), null),
        regions,
        policy,
        terms,
        PoolSpec.Serving.DEFAULT,
        new PoolSpec.Handling(stage, playbook ? List.of(clean) : List.of()),
        Map.of());
  }

  private Desired desired(Bounds each) {
    Template template =
        new Template(
            new TemplateVersion(Integer.toString(version)),
            "registry/viewer@sha256:" + version,
            new Template.Guest("shared", 2, 2048),
            Map.of());
    return new Desired(
        template,
        each,
        credentials,
        playbook,
        afterSession,
        null,
        Map.of("app", APP, "managed_by", "cupbear/sim"),
        Set.of(),
        Set.of());
  }
}
