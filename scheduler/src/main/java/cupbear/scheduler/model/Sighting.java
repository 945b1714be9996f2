// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Machine as the newest Fly list shows it.
 *
 * @param since when it came to be so, by Fly's own word; null when the list does not say
 * @param missedLists how many lists in a row did not show it
 * @param absentSince when the first of these was taken; null while it is listed
 * @param hostDoubtfulSince since when {@code host_status} is not ok; null while it is ok
 * @param exitedAt the newest exit that nobody asked for; null when there is none
 * @param tags Fly metadata as listed
 */
public record Sighting(
    Power power,
    @Nullable Instant since,
    int missedLists,
    @Nullable Instant absentSince,
    @Nullable Instant hostDoubtfulSince,
    @Nullable Instant exitedAt,
    Map<String, String> tags) {
  public Sighting {
    if (missedLists < 0) {
      throw new IllegalArgumentException("missed lists is " + missedLists + "; at least 0");
    }
    tags = tags == null ? Map.of() : Map.copyOf(tags);
  }

  /** The same, but standing as it did then. */
  public Sighting as(Sighting then) {
    return new Sighting(
        then.power, then.since, missedLists, absentSince, hostDoubtfulSince, exitedAt, tags);
  }

  public boolean hostOk() {
    return hostDoubtfulSince == null;
  }
}
