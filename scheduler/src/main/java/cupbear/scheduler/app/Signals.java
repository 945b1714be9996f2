// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/**
 * Takes hints from outside about demand to come, and writes them into the journal. From there every
 * replica's supervisor hears of them, whoever was told, and gives them to the leader of the region,
 * also to the next one. Any thread; holds nothing. A lost hint costs a late Machine, nothing else.
 */
public final class Signals {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(3);

  /** One hint. */
  public record Signal(
      String source, PoolName pool, Region region, double perMinute, Duration validFor) {}

  private final Ports ports;
  private final Deadlines deadlines;

  public Signals(Ports ports) {
    this.ports = ports;
    this.deadlines = new Deadlines(ports.time());
  }

  /** Takes a hint; gives back until when it counts. */
  public Future<Instant> take(Signal signal) {
    Instant now = ports.time().now();
    Entry entry =
        new Entry(
                "",
                now,
                EntryKind.SIGNAL_TAKEN.word(),
                signal.pool(),
                signal.region(),
                null,
                null,
                null,
                "%s announces %s arrivals a minute".formatted(signal.source(), signal.perMinute()),
                new TreeMap<>())
            .with(HintBook.SOURCE, signal.source())
            .with(HintBook.PER_MINUTE, Double.toString(signal.perMinute()))
            .with(HintBook.VALID_MS, Long.toString(signal.validFor().toMillis()));
    return deadlines
        .within(
            STORE_WITHIN, "journal", () -> ports.journal().append(signal.pool(), List.of(entry)))
        .map(any -> now.plus(signal.validFor()));
  }
}
