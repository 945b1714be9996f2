// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What became of the arrivals of one scenario, in figures. Any thread. */
final class Tally {
  private static final long LONGEST_US = Duration.ofMinutes(10).toNanos() / 1000;
  private static final Duration SLICE = Duration.ofSeconds(1);

  private final Histogram queue = new Histogram(LONGEST_US, 3);
  private final SortedMap<Long, OfSlice> slices = new TreeMap<>();
  private final Map<String, Histogram> byTenant = new TreeMap<>();
  private final Map<String, Long> refusals = new TreeMap<>();
  private long arrivals;
  private long late;
  private long dropped;
  private long granted;
  private long refused;
  private long unanswered;
  private long ended;
  private long lost;
  private int now;
  private int most;

  private static final class OfSlice {
    final Histogram queue = new Histogram(LONGEST_US, 2);
    long refused;
  }

  synchronized void arrived() {
    arrivals++;
  }

  synchronized void late() {
    late++;
  }

  synchronized void dropped() {
    dropped++;
  }

  /**
   * @param took from the moment the user was meant to come
   */
  synchronized void granted(Arrival arrival, Duration took) {
    granted++;
    now++;
    most = Math.max(most, now);
    long micros = Math.clamp(took.toNanos() / 1000, 0, LONGEST_US);
    queue.recordValue(micros);
    slice(arrival).queue.recordValue(micros);
    byTenant
        .computeIfAbsent(arrival.tenant(), any -> new Histogram(LONGEST_US, 2))
        .recordValue(micros);
  }

  synchronized void refused(Arrival arrival, String why) {
    refused++;
    slice(arrival).refused++;
    refusals.merge(why, 1L, Long::sum);
  }

  synchronized void unanswered(Arrival arrival) {
    unanswered++;
    slice(arrival).refused++;
  }

  synchronized void ended() {
    ended++;
    now--;
  }

  synchronized void lost() {
    lost++;
    now--;
  }

  private OfSlice slice(Arrival arrival) {
    return slices.computeIfAbsent(arrival.at().toSeconds(), any -> new OfSlice());
  }

  synchronized int now() {
    return now;
  }

  synchronized Counts counts() {
    return new Counts(arrivals, late, dropped, granted, refused, unanswered, ended, lost, most);
  }

  /** A copy. */
  synchronized Histogram queue() {
    return queue.copy();
  }

  /** How often each refusal was heard. */
  synchronized Map<String, Long> refusals() {
    return new TreeMap<>(refusals);
  }

  /** Longest and median wait of a tenant's users in microseconds. */
  synchronized Histogram ofTenant(String tenant) {
    Histogram theirs = byTenant.get(tenant);
    return theirs == null ? new Histogram(LONGEST_US, 2) : theirs.copy();
  }

  synchronized List<Slice> slices() {
    List<Slice> all = new ArrayList<>();
    slices.forEach((second, each) ->
        all.add(
            new Slice(
                SLICE.multipliedBy(second),
                each.queue.getTotalCount(),
                each.refused,
                each.queue.getValueAtPercentile(50),
                each.queue.getValueAtPercentile(95),
                each.queue.getValueAtPercentile(99),
                each.queue.getMaxValue())));
    return all;
  }
}
