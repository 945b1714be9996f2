// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How good this pass's view is.
 *
 * @param listedAt when Fly's list was taken; null when there is none
 * @param bookedAt when the store's snapshot was taken; null when there is none
 * @param trusted false while the list looks collapsed
 * @param known how many Machines were known before a collapse
 * @param lost how many of those the list no longer shows
 */
public record Listing(
    @Nullable Instant listedAt, @Nullable Instant bookedAt, boolean trusted, int known, int lost) {
  public static Listing fresh(Instant at) {
    return new Listing(at, at, true, 0, 0);
  }
}
