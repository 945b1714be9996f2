// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Region;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** In which order the regions of a pool are tried for one request. */
public final class Placement {
  /** What the caller asks for: regions in its order, or none; and where it is, when known. */
  public record Wish(List<Region> preferred, @Nullable Region caller) {
    public Wish {
      preferred = List.copyOf(preferred);
    }
  }

  /**
   * What the pool allows.
   *
   * @param regions those it has, in declared order
   * @param overrides for a place of departure, the order that replaces the map's
   * @param maxDistanceKm regions farther than this are not offered unasked; empty for no limit
   */
  public record Rules(
      List<Region> regions, Map<Region, List<Region>> overrides, @Nullable Double maxDistanceKm) {
    public Rules {
      regions = List.copyOf(new LinkedHashSet<>(regions));
      overrides = Map.copyOf(overrides);
      if (regions.isEmpty()) {
        throw new IllegalArgumentException("a pool without regions; declare at least one");
      }
      if (maxDistanceKm != null && !(maxDistanceKm >= 0)) {
        throw new IllegalArgumentException(
            "max_distance_km is " + maxDistanceKm + "; give 0 or more kilometres");
      }
    }
  }

  private Placement() {}

  /**
   * The regions to try, best first: those asked for by name, then the nearest to the first of them.
   * Without a wish the caller's own region is the place of departure, else the pool's first. Empty
   * when the pool has nothing within its distance.
   */
  public static List<Region> rank(Wish wish, Rules rules, Atlas atlas) {
    Region from = departure(wish, rules);
    Set<Region> ranked = new LinkedHashSet<>(wish.preferred());
    ranked.retainAll(rules.regions());
    List<Region> override = rules.overrides().get(from);
    if (override != null) {
      override.stream().filter(rules.regions()::contains).forEach(ranked::add);
    } else {
      nearest(from, rules, atlas).forEach(ranked::add);
    }
    return List.copyOf(ranked);
  }

  private static Region departure(Wish wish, Rules rules) {
    if (!wish.preferred().isEmpty()) return wish.preferred().getFirst();
    return wish.caller() != null ? wish.caller() : rules.regions().getFirst();
  }

  /** A region that is not on the map comes last, in declared order, and knows no limit. */
  private static List<Region> nearest(Region from, Rules rules, Atlas atlas) {
    return rules.regions().stream()
        .map(to -> new Hop(to, atlas.distanceKm(from, to)))
        .filter(hop -> hop.km.isEmpty() || isNearEnough(hop.km.getAsDouble(), rules))
        .sorted(Comparator.comparingDouble(hop -> hop.km.orElse(Double.MAX_VALUE)))
        .map(Hop::to)
        .toList();
  }

  private static boolean isNearEnough(double km, Rules rules) {
    return rules.maxDistanceKm() == null || km <= rules.maxDistanceKm();
  }

  private record Hop(Region to, OptionalDouble km) {}
}
