// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loop's part in getting over a store that lost data: say once per generation what it knows. A
 * store that is well may still not have heard of this region: its replicas can have reported before
 * anybody led here, as at the very first start.
 */
final class Recovering {
  /** A report that was not answered by then is sent again. */
  private static final Duration REPORT_LOST_AFTER = Duration.ofSeconds(3);

  private @Nullable StoreState known;
  private @Nullable Instant sentAt;
  private @Nullable Long reportedFor;

  boolean isOpen() {
    return known instanceof StoreState.Recovering;
  }

  /** Is there still something that the store has to be told? */
  boolean isReportOpen() {
    return known != null && (reportedFor == null || reportedFor != known.generation());
  }

  /** How the store stands; says whether it is well. */
  boolean take(StoreState state) {
    if (known == null || known.generation() != state.generation()) sentAt = null;
    known = state;
    return state instanceof StoreState.Ready;
  }

  /** The store has heard it, in this generation. */
  void reported(StoreState state) {
    reportedFor = state.generation();
  }

  /** The report, when one is due and Fly's list is there, and believed, to make it of. */
  Optional<RegionReport> due(Collection<Booked> remembered, Sightings sightings, Instant now) {
    boolean under = sentAt != null && sentAt.plus(REPORT_LOST_AFTER).isAfter(now);
    boolean listed = sightings.listedAt() != null && sightings.listing(null).trusted();
    if (!isReportOpen() || under || !listed) return Optional.empty();
    sentAt = now;
    var still = remembered.stream().filter(each -> sightings.isListed(each.id())).toList();
    return Optional.of(new RegionReport(still, sightings.taggedInUse()));
  }
}
