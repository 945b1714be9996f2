// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hints from outside about demand to come. Each is written into the journal, so that the replica
 * that leads the region hears of it whoever was told; the newest word of each source counts, and
 * sources add up. Any thread. A lost hint costs a late Machine, nothing else.
 */
public final class Signals {
  private static final String KIND = "signal.taken";
  private static final Duration STORE_WITHIN = Duration.ofSeconds(3);

  /** More sources than this for one region are not sources; the oldest is forgotten. */
  private static final int SOURCES_MOST = 32;

  /** Where hints go; the supervisor's own. */
  public interface Hints {
    void hint(PoolName pool, Region region, double perSecond, Duration holds);
  }

  /** One hint. */
  public record Signal(
      String source, PoolName pool, Region region, double perMinute, Duration validFor) {}

  private record Place(PoolName pool, Region region) {}

  private record Said(double perMinute, Instant until) {}

  private final Ports ports;
  private final Hints hints;
  private final Deadlines deadlines;
  private final SteadyTime clock;
  private final Map<Place, Map<String, Said>> said = new HashMap<>();
  private final Set<PoolName> heard = new HashSet<>();

  public Signals(Ports ports, Hints hints) {
    this.ports = ports;
    this.hints = hints;
    this.deadlines = new Deadlines(ports.time());
    this.clock = new SteadyTime(ports.time());
  }

  /** Hears what other replicas are told about this pool; once is enough. */
  public void listen(PoolName pool) {
    synchronized (this) {
      if (!heard.add(pool)) return;
    }
    ports.journal().onEntry(pool, this::hear);
  }

  /** Takes a hint; gives back until when it counts. */
  public Future<Instant> take(Signal signal) {
    listen(signal.pool());
    Instant until = clock.now().plus(signal.validFor());
    Entry entry =
        new Entry(
                "",
                ports.time().now(),
                KIND,
                signal.pool(),
                signal.region(),
                null,
                null,
                null,
                "%s announces %s arrivals a minute".formatted(signal.source(), signal.perMinute()),
                new TreeMap<>())
            .with("source", signal.source())
            .with("per_minute", Double.toString(signal.perMinute()))
            .with("valid_ms", Long.toString(signal.validFor().toMillis()));
    return deadlines
        .within(
            STORE_WITHIN, "journal", () -> ports.journal().append(signal.pool(), List.of(entry)))
        .map(any -> {
          note(signal);
          return until;
        });
  }

  private void hear(Entry entry) {
    Region region = entry.region();
    if (!entry.kind().equals(KIND) || region == null) return;
    try {
      note(
          new Signal(
              entry.data().getOrDefault("source", ""),
              entry.pool(),
              region,
              Double.parseDouble(entry.data().getOrDefault("per_minute", "0")),
              Duration.ofMillis(Long.parseLong(entry.data().getOrDefault("valid_ms", "0")))));
    } catch (NumberFormatException unreadable) {
      // Written by another version; a hint is not worth more than this.
    }
  }

  private void note(Signal signal) {
    double sum;
    Duration longest;
    synchronized (this) {
      Instant now = clock.now();
      Map<String, Said> here =
          said.computeIfAbsent(
              new Place(signal.pool(), signal.region()), any -> new java.util.LinkedHashMap<>());
      here.remove(signal.source());
      here.put(signal.source(), new Said(signal.perMinute(), now.plus(signal.validFor())));
      here.values().removeIf(each -> !each.until().isAfter(now));
      if (here.size() > SOURCES_MOST) here.remove(here.keySet().iterator().next());
      sum = here.values().stream().mapToDouble(Said::perMinute).sum();
      Instant last = here.values().stream().map(Said::until).max(Instant::compareTo).orElse(now);
      longest = Duration.between(now, last);
    }
    hints.hint(signal.pool(), signal.region(), sum / 60, longest);
  }
}
