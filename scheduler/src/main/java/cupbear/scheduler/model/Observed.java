// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.List;

/**
 * Everything one pass knows about one regional pool: the whole input of a plan but for what is
 * declared. A complete value: it can be written down, sent in a bug report and planned again.
 *
 * @param machines ours, in this pool and region, each once
 * @param strays ours by tag, unknown to the store
 * @param foreign Machines in the app without our tag
 */
public record Observed(
    PoolName pool,
    Region region,
    Listing listing,
    List<Machine> machines,
    List<Stray> strays,
    int foreign,
    List<Expected> expected,
    Demand demand,
    Capacity capacity,
    BootFigures boot) {
  public Observed {
    machines = List.copyOf(machines);
    strays = List.copyOf(strays);
    expected = List.copyOf(expected);
  }
}
