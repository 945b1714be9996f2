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

/** The loop's part in getting over a store that lost data: say once what it knows. */
final class Recovering {
  /** A report that was not answered by then is sent again. */
  private static final Duration REPORT_LOST_AFTER = Duration.ofSeconds(3);

  private StoreState.@Nullable Recovering open;
  private @Nullable Instant sentAt;
  private boolean reported;

  boolean isOpen() {
    return open != null;
  }

  /** Is there still something that the store has to be told? */
  boolean isReportOpen() {
    return open != null && !reported;
  }

  /** How the store stands; says whether it is well. */
  boolean take(StoreState state) {
    switch (state) {
      case StoreState.Ready any -> {
        open = null;
        return true;
      }
      case StoreState.Recovering recovering -> {
        boolean another = open == null || open.generation() != recovering.generation();
        if (another) {
          reported = false;
          sentAt = null;
        }
        open = recovering;
        return false;
      }
    }
  }

  void reported() {
    reported = true;
  }

  /** The report, when one is due and Fly's list is there to make it of. */
  Optional<RegionReport> due(Collection<Booked> remembered, Sightings sightings, Instant now) {
    boolean under = sentAt != null && sentAt.plus(REPORT_LOST_AFTER).isAfter(now);
    if (open == null || reported || under || sightings.listedAt() == null) return Optional.empty();
    sentAt = now;
    var listed = remembered.stream().filter(each -> sightings.isListed(each.id())).toList();
    return Optional.of(new RegionReport(listed, sightings.taggedInUse()));
  }
}
