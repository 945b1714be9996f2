// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was announced for each regional pool and still counts. The newest word of each source
 * counts, and sources add up. Every replica keeps it, whoever leads, so that a new leader knows
 * what the old one was told. The supervisor's thread; a restart reads it back from the journal.
 */
final class HintBook {
  static final String SOURCE = "source";
  static final String PER_MINUTE = "per_minute";
  static final String VALID_MS = "valid_ms";

  /** No announcement counts for longer; so far a newcomer reads the journal back. */
  static final Duration VALID_MOST = Duration.ofMinutes(15);

  /** More sources than this for one region are not sources; the oldest is forgotten. */
  private static final int SOURCES_MOST = 32;

  /** All that is announced for one regional pool. */
  record Hint(double perSecond, Duration holds) {}

  private record Place(PoolName pool, Region region) {}

  private record Said(Instant at, double perSecond, Instant until) {}

  private final Map<Place, Map<String, Said>> said = new HashMap<>();

  /** An entry of the journal; false when it says nothing about demand. */
  boolean take(Entry entry) {
    Region region = entry.region();
    if (!entry.kind().equals(EntryKind.SIGNAL_TAKEN.word()) || region == null) return false;
    Map<String, String> data = entry.data();
    try {
      double perMinute = Double.parseDouble(data.getOrDefault(PER_MINUTE, ""));
      long millis = Long.parseLong(data.getOrDefault(VALID_MS, ""));
      Duration valid = Duration.ofMillis(Math.clamp(millis, 0, VALID_MOST.toMillis()));
      Said word = new Said(entry.at(), perMinute / 60, entry.at().plus(valid));
      take(new Place(entry.pool(), region), data.getOrDefault(SOURCE, ""), word);
      return true;
    } catch (NumberFormatException unreadable) {
      // Written by another version; a hint is not worth more than this.
      return false;
    }
  }

  /** What a process tells its own supervisor; counts as a source of its own. */
  void take(PoolName pool, Region region, double perSecond, Duration holds, Instant now) {
    take(new Place(pool, region), "", new Said(now, perSecond, now.plus(holds)));
  }

  private void take(Place place, String source, Said word) {
    Map<String, Said> here = said.computeIfAbsent(place, any -> new HashMap<>());
    // What is read back from the journal must not undo what was heard meanwhile.
    here.merge(source, word, (old, young) -> young.at().isBefore(old.at()) ? old : young);
    if (here.size() > SOURCES_MOST) {
      here.entrySet().stream()
          .min(Comparator.comparing(each -> each.getValue().at()))
          .ifPresent(oldest -> here.remove(oldest.getKey()));
    }
  }

  /** The sum of what counts now; empty when nothing does. */
  Optional<Hint> of(PoolName pool, Region region, Instant now) {
    Map<String, Said> here = said.getOrDefault(new Place(pool, region), new HashMap<>());
    here.values().removeIf(each -> !each.until().isAfter(now));
    double sum = here.values().stream().mapToDouble(Said::perSecond).sum();
    return here.values().stream()
        .map(Said::until)
        .max(Comparator.naturalOrder())
        .map(last -> new Hint(sum, Duration.between(now, last)));
  }
}
