// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * How each region stood lately, as far as this replica heard: from its own loops in full, from
 * others what they wrote into the journal. Words that are not repeated fade. Any thread.
 */
public final class RegionBoard {
  /** Leaders repeat what matters every 30 s. */
  private static final Duration BELIEVED = Duration.ofSeconds(75);

  private record Key(PoolName pool, Region region) {}

  private record Word(int unmet, Duration boot, long atNanos) {}

  private record Own(RegionStatus status, @Nullable Plan plan, long atNanos) {}

  private final Time time;
  private final ConcurrentMap<Key, Own> own = new ConcurrentHashMap<>();
  private final ConcurrentMap<Key, Word> words = new ConcurrentHashMap<>();

  public RegionBoard(Time time) {
    this.time = time;
  }

  void publish(RegionStatus status, @Nullable Plan plan) {
    Key key = new Key(status.pool(), status.region());
    own.put(key, new Own(status, plan, time.nanos()));
    words.put(key, new Word(status.unmet(), status.boot(), time.nanos()));
  }

  void heard(PoolName pool, Region region, int unmet, Duration boot) {
    words.put(new Key(pool, region), new Word(unmet, boot, time.nanos()));
  }

  /** Its loop does not run here any more. */
  void left(PoolName pool, Region region) {
    own.remove(new Key(pool, region));
  }

  /** How a regional pool stood after its newest pass here; empty when it is led elsewhere. */
  public Optional<RegionStatus> status(PoolName pool, Region region) {
    return Optional.ofNullable(own.get(new Key(pool, region))).map(Own::status);
  }

  /** What the newest pass here decided; empty when it is led elsewhere. */
  public Optional<Plan> plan(PoolName pool, Region region) {
    return Optional.ofNullable(own.get(new Key(pool, region))).map(Own::plan);
  }

  /** The regional pools that this replica leads. */
  public Collection<RegionStatus> own() {
    return own.values().stream().map(Own::status).toList();
  }

  /** Of those that this replica leads: since when the slowest loop has not made a pass. */
  public Duration oldestPass() {
    long now = time.nanos();
    long oldest = own.values().stream().mapToLong(each -> now - each.atNanos()).max().orElse(0);
    return Duration.ofNanos(oldest);
  }

  /** What each region lacks and cannot get. */
  SortedMap<Region, Integer> unmet(PoolName pool) {
    SortedMap<Region, Integer> found = new TreeMap<>();
    words.forEach((key, word) -> {
      boolean counts = key.pool().equals(pool) && isYoung(word) && word.unmet() > 0;
      if (counts) found.put(key.region(), word.unmet());
    });
    return found;
  }

  /** How long a Machine takes to come up there; empty when nobody said so. */
  Optional<Duration> boot(PoolName pool, Region region) {
    return Optional.ofNullable(words.get(new Key(pool, region))).map(Word::boot);
  }

  private boolean isYoung(Word word) {
    return time.nanos() - word.atNanos() < BELIEVED.toNanos();
  }
}
