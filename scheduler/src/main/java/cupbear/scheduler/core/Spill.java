// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Region;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where the demand goes that a region short of capacity cannot meet: to the next one. */
public final class Spill {
  private Spill() {}

  /**
   * How many Machines each region should hold for its neighbours.
   *
   * @param unmet what the newest plan of each region could not bring up; a region named here with
   *     more than 0 is short itself and takes nothing from others
   */
  public static SortedMap<Region, Integer> onto(
      Map<Region, Integer> unmet, Placement.Rules rules, Atlas atlas) {
    SortedMap<Region, Integer> extra = new TreeMap<>();
    for (Map.Entry<Region, Integer> each : new TreeMap<>(unmet).entrySet()) {
      if (each.getValue() <= 0) continue;
      Placement.Wish from = new Placement.Wish(List.of(), each.getKey());
      Placement.rank(from, rules, atlas).stream()
          .filter(region -> unmet.getOrDefault(region, 0) <= 0)
          .findFirst()
          .ifPresent(region -> extra.merge(region, each.getValue(), Integer::sum));
    }
    return Collections.unmodifiableSortedMap(extra);
  }
}
