// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import org.jspecify.annotations.Nullable;

/**
 * Could Fly place that many? An answer is a hint, not a reservation.
 *
 * @param region codes and aliases in order of preference; empty for any
 * @param count 0 asks for the organisation's limit per region
 * @param compute the size; null for Fly's default
 */
public record PlacementQuestion(String orgSlug, String region, int count, @Nullable Guest compute) {
  public PlacementQuestion {
    orgSlug = Absent.text(orgSlug);
    region = Absent.text(region);
  }
}
