// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.List;

/**
 * All regions.
 *
 * @param nearest the one nearest to the caller, by Fly's view; may be empty
 */
public record Regions(List<Region> regions, String nearest) {
  public Regions {
    regions = Absent.list(regions);
    nearest = Absent.text(nearest);
  }
}
