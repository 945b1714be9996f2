// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.api.ApiMeters;
import cupbear.scheduler.trace.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the API counts. Its routes are told once, when the table of them is made. Any thread. */
final class ApiCounts implements ApiMeters {
  /** Streams last for as long as their reader likes: no measure of ours. */
  private static final String STREAM = "GET /v1/events";

  private static final String NONE = "none";

  private final MeterShelf shelf;
  private final Map<String, Map<String, Counter>> byRoute = new ConcurrentHashMap<>();
  private final Map<String, Counter> refused = new HashMap<>();
  private final Counter throttled;
  private final Timer took;
  private final Tracing tracing;

  ApiCounts(MeterRegistry registry, Tracing tracing) {
    this.shelf = new MeterShelf(registry);
    this.tracing = tracing;
    this.took = shelf.histogram(Metric.CUPBEAR_API_REQUEST_DURATION);
    this.throttled = shelf.counter(Metric.CUPBEAR_THROTTLED);
    for (String reason : Labels.AUTH_REASONS) {
      refused.put(reason, shelf.counter(Metric.CUPBEAR_AUTH_FAILURES, "reason", reason));
    }
    layOut(NONE);
  }

  @Override
  public void routes(Collection<String> names) {
    names.forEach(this::layOut);
  }

  private void layOut(String route) {
    byRoute.computeIfAbsent(
        route,
        any -> {
          Map<String, Counter> byStatus = new HashMap<>();
          for (String status : Labels.STATUSES) {
            byStatus.put(
                status,
                shelf.counter(Metric.CUPBEAR_API_REQUESTS, "route", route, "status", status));
          }
          return byStatus;
        });
  }

  @Override
  public void answered(String route, int status, Duration time) {
    Map<String, Counter> byStatus = byRoute.getOrDefault(route, byRoute.get(NONE));
    Counter counter = byStatus == null ? null : byStatus.get(Labels.status(status));
    if (counter != null) counter.increment();
    if (!route.equals(STREAM)) took.record(time);
  }

  @Override
  public void refused(String reason) {
    Counter counter = reason.equals("throttled") ? throttled : refused.get(reason);
    if (counter != null) counter.increment();
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }
}
