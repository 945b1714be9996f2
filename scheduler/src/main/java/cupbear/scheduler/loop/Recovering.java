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
 * The loop's part in getting over a store that lost data: say once what it knows. It is asked by
 * the state of the store, or by a store that shows no book before it was told.
 */
final class Recovering {
  /** A report that was not answered by then is sent again. */
  private static final Duration REPORT_LOST_AFTER = Duration.ofSeconds(3);

  private long generation = -1;
  private boolean open;
  private boolean owed;
  private @Nullable Instant sentAt;

  /** Is the store being rebuilt? */
  boolean isOpen() {
    return open;
  }

  /** Is there still something that the store has to be told? */
  boolean isReportOwed() {
    return owed;
  }

  /** How the store stands; says whether it is well. */
  boolean take(StoreState state) {
    open = state instanceof StoreState.Recovering;
    if (open && state.generation() != generation) asked();
    generation = state.generation();
    return !open;
  }

  /** The store wants a report. */
  void asked() {
    owed = true;
  }

  void reported() {
    owed = false;
    sentAt = null;
  }

  /** When a report has to be thought of next; without a believed list it waits for one. */
  Instant dueAt() {
    if (!owed) return Instant.MAX;
    return sentAt == null ? Instant.MIN : sentAt.plus(REPORT_LOST_AFTER);
  }

  /** The report, when one is due and Fly's list is there, and believed, to make it of. */
  Optional<RegionReport> due(Collection<Booked> remembered, Sightings sightings, Instant now) {
    if (!owed || dueAt().isAfter(now)) return Optional.empty();
    boolean known = sightings.listedAt() != null && sightings.isTrusted();
    if (!known) return Optional.empty();
    sentAt = now;
    var listed = remembered.stream().filter(each -> sightings.isListed(each.id())).toList();
    return Optional.of(new RegionReport(listed, sightings.taggedInUse()));
  }
}
