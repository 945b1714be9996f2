// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.List;

/** Where Machines could go. */
public record Placements(List<InRegion> regions) {

  /** How many fit a region, and how many of them may be made at once. */
  public record InRegion(String region, int count, int concurrency) {
    public InRegion {
      region = Absent.text(region);
    }
  }

  public Placements {
    regions = Absent.list(regions);
  }
}
