// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.model.PlanDigest.NOTHING;

import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PlanDigest;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.time.Instant;
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

  /**
   * What a leader said of its region.
   *
   * @param plan what its passes decided in the seconds before
   */
  public record Word(Instant at, int unmet, Duration boot, PlanDigest plan) {}

  private record Heard(Word word, long atNanos) {}

  private record Own(RegionStatus status, @Nullable Plan plan, long atNanos) {}

  private final Time time;
  private final ConcurrentMap<Key, Own> own = new ConcurrentHashMap<>();
  private final ConcurrentMap<Key, Heard> words = new ConcurrentHashMap<>();

  public RegionBoard(Time time) {
    this.time = time;
  }

  void publish(RegionStatus status, @Nullable Plan plan) {
    Key key = new Key(status.pool(), status.region());
    own.put(key, new Own(status, plan, time.nanos()));
    // What it lacks is known here at once; what it told others of its plan stays as it was told.
    PlanDigest told = word(status.pool(), status.region()).map(Word::plan).orElse(NOTHING);
    heard(
        status.pool(), status.region(), new Word(status.at(), status.unmet(), status.boot(), told));
  }

  void heard(PoolName pool, Region region, Word word) {
    words.put(new Key(pool, region), new Heard(word, time.nanos()));
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

  /** What its leader said lately, be it this replica or another one. */
  public Optional<Word> word(PoolName pool, Region region) {
    return Optional.ofNullable(words.get(new Key(pool, region)))
        .filter(this::isYoung)
        .map(Heard::word);
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
    words.forEach((key, heard) -> {
      int lacks = heard.word().unmet();
      boolean counts = key.pool().equals(pool) && isYoung(heard) && lacks > 0;
      if (counts) found.put(key.region(), lacks);
    });
    return found;
  }

  /** How long a Machine takes to come up there; empty when nobody said so. */
  Optional<Duration> boot(PoolName pool, Region region) {
    return Optional.ofNullable(words.get(new Key(pool, region))).map(each -> each.word().boot());
  }

  private boolean isYoung(Heard heard) {
    return time.nanos() - heard.atNanos() < BELIEVED.toNanos();
  }
}
