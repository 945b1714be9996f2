// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How long requests stood in the queue lately: half of the spike rule. */
public final class QueueTimes {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private QueueTimes() {}

  public static Duration p95(List<Snapshot.Waited> waits, Instant now) {
    Instant oldest = now.minus(WINDOW);
    List<Duration> recent =
        waits.stream()
            .filter(waited -> waited.at().isAfter(oldest))
            .map(Snapshot.Waited::time)
            .sorted()
            .toList();
    return Quantile.of(recent, 0.95);
  }
}
