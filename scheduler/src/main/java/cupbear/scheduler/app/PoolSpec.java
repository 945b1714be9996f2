// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Placement;
import cupbear.scheduler.loop.Declaration;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Machines.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One declared pool: all that serving it needs. Swapped whole when the settings change.
 *
 * @param app the Fly app its Machines live in
 * @param regions what is declared for each region of the placement rules
 * @param labels what a request may ask for
 */
public record PoolSpec(
    PoolName name,
    String app,
    Placement.Rules placement,
    Map<Region, Desired> regions,
    Policy policy,
    Terms terms,
    Serving serving,
    Handling handling,
    Map<String, String> labels) {
  public PoolSpec {
    SortedMap<Region, Desired> sorted = new TreeMap<>(regions);
    regions = java.util.Collections.unmodifiableSortedMap(sorted);
    labels = Map.copyOf(labels);
    if (!regions.keySet().equals(java.util.Set.copyOf(placement.regions()))) {
      throw new IllegalArgumentException(
          "pool %s is declared for %s but placed in %s; name the same regions"
              .formatted(name, regions.keySet(), placement.regions()));
    }
  }

  /**
   * How requests are served.
   *
   * @param patience how long a request stands in the queue unless it says otherwise
   * @param patienceMost the longest it may ask for
   * @param guacdTrust a guacd proof younger than this is believed
   * @param rdpTrust an RDP proof younger than this is believed
   */
  public record Serving(
      Duration patience,
      Duration patienceMost,
      Duration guacdTrust,
      Duration rdpTrust,
      int guacdPort,
      int rdpPort) {
    public static final Serving DEFAULT =
        new Serving(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            4822,
            3389);
  }

  /**
   * What is run inside Machines.
   *
   * @param staging takes one-time credentials on its standard input
   * @param playbook tears down what a session left, step by step
   */
  public record Handling(Command staging, List<Command> playbook) {
    public static final Handling DEFAULT =
        new Handling(
            new Command(List.of("/usr/local/bin/cupbear-stage"), "", Duration.ofSeconds(10)),
            List.of());

    public Handling {
      playbook = List.copyOf(playbook);
    }
  }

  /** The one in declared order that stands for all when a request names none. */
  public Region firstRegion() {
    return placement.regions().getFirst();
  }

  public Declaration declaration(Region region) {
    Desired desired = regions.get(region);
    if (desired == null) {
      throw new IllegalArgumentException("pool %s has no region %s".formatted(name, region));
    }
    return new Declaration(desired, policy);
  }
}
