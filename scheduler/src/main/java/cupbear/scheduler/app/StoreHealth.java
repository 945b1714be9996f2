// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What this replica last heard of the store, for those who ask whether it can serve. The supervisor
 * looks once a second; any thread may read.
 */
public final class StoreHealth {
  /** Longer than one lost look, shorter than a caller's patience. */
  private static final Duration BELIEVED = Duration.ofSeconds(5);

  /** Whether sessions can be assigned, and if not, why. */
  public sealed interface Condition {
    record Fine() implements Condition {}

    /** Nothing was heard yet. */
    record Unknown() implements Condition {}

    record Silent(Duration since) implements Condition {}

    /** It lost data; what was granted is being put together again. */
    record Recovering() implements Condition {}
  }

  private record Heard(StoreState state, long atNanos) {}

  private final Time time;
  private final ConcurrentMap<PoolName, Heard> newest = new ConcurrentHashMap<>();
  private final ConcurrentMap<PoolName, String> told = new ConcurrentHashMap<>();

  public StoreHealth(Time time) {
    this.time = time;
  }

  void heard(PoolName pool, StoreState state) {
    newest.put(pool, new Heard(state, time.nanos()));
  }

  /** How the store of a pool is, in a word, when that is not what this said before. */
  Optional<String> news(PoolName pool) {
    String now =
        switch (of(pool)) {
          case Condition.Fine any -> Meters.STORE_FINE;
          case Condition.Unknown any -> "unknown";
          case Condition.Silent any -> "silent";
          case Condition.Recovering any -> "recovering";
        };
    String before = told.put(pool, now);
    // That it is there is no news at the start.
    boolean dull = before == null || before.equals("unknown");
    return now.equals(before) || (dull && now.equals(Meters.STORE_FINE))
        ? Optional.empty()
        : Optional.of(now).filter(word -> !word.equals("unknown"));
  }

  public Condition of(PoolName pool) {
    Heard heard = newest.get(pool);
    if (heard == null) return new Condition.Unknown();
    Duration age = Duration.ofNanos(time.nanos() - heard.atNanos());
    if (age.compareTo(BELIEVED) > 0) return new Condition.Silent(age);
    return heard.state() instanceof StoreState.Recovering
        ? new Condition.Recovering()
        : new Condition.Fine();
  }
}
