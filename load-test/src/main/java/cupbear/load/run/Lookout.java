// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport.Band;
import cupbear.load.report.LoadReport.Bands;
import cupbear.load.stack.OperatorView;
import cupbear.load.stack.OperatorView.RegionView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at the pools as an operator does, all through a scenario. It owns its thread. */
final class Lookout implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(500);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final List<Bands> seen = new ArrayList<>();
  private final OperatorView view;
  private final long startedAt;

  Lookout(OperatorView view, long startedAt) {
    this.view = view;
    this.startedAt = startedAt;
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      Duration at = Duration.ofNanos(System.nanoTime() - startedAt);
      view.regions().ifPresent(regions -> keep(new Bands(at, bands(regions))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void keep(Bands bands) {
    seen.add(bands);
  }

  private static SortedMap<String, Band> bands(List<RegionView> regions) {
    SortedMap<String, Band> bands = new TreeMap<>();
    for (RegionView each : regions) {
      bands.put(
          each.region(),
          new Band(
              each.count("warm"),
              each.count("assigned"),
              each.count("coming_up"),
              each.count("draining"),
              each.count("parked"),
              each.queue()));
    }
    return bands;
  }

  synchronized List<Bands> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
