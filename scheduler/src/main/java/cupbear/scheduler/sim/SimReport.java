// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came out of many runs.
 *
 * @param servedWarm share of the requests that were served without waiting
 * @param unserved why the others got nothing, and how many
 * @param queueP50Ms from the first request to the answer, of everybody who was served
 */
public record SimReport(
    int seeds,
    double hours,
    long events,
    long checks,
    List<Violation> violations,
    long requests,
    long served,
    double servedWarm,
    double queueP50Ms,
    double queueP95Ms,
    double queueP99Ms,
    Map<String, Integer> unserved,
    long sessionsLost,
    double idleMachineHours,
    long flyCalls,
    long flyRefusals,
    long creates,
    long destroys) {
  /** Served faster than this, nobody has waited. */
  private static final long WARM_MICROS = 100_000;

  static SimReport of(List<SimResult> results) {
    List<Violation> violations = new ArrayList<>();
    Map<String, Integer> unserved = new TreeMap<>();
    results.forEach(each -> violations.addAll(each.violations()));
    results.forEach(each ->
        each.tally().unserved().forEach((why, count) -> unserved.merge(why, count, Integer::sum)));
    long[] waits =
        results.stream()
            .flatMapToLong(each -> Arrays.stream(each.tally().waitsMicros()))
            .sorted()
            .toArray();
    long requests = results.stream().mapToLong(each -> each.tally().arrivals()).sum();
    long warm = Arrays.stream(waits).filter(each -> each < WARM_MICROS).count();
    return new SimReport(
        results.size(),
        results.stream().mapToDouble(each -> each.settings().length().toMinutes() / 60.0).sum(),
        results.stream().mapToLong(SimResult::events).sum(),
        results.stream().mapToLong(SimResult::checks).sum(),
        List.copyOf(violations),
        requests,
        waits.length,
        requests == 0 ? 1 : round((double) warm / requests, 4),
        millis(waits, 0.50),
        millis(waits, 0.95),
        millis(waits, 0.99),
        unserved,
        results.stream().mapToLong(each -> each.tally().losses()).sum(),
        round(results.stream().mapToDouble(each -> each.tally().idleHours()).sum(), 2),
        results.stream().mapToLong(each -> each.calls().sent()).sum(),
        results.stream().mapToLong(each -> each.calls().refusals()).sum(),
        results.stream().mapToLong(each -> each.calls().creates()).sum(),
        results.stream().mapToLong(each -> each.calls().destroys()).sum());
  }

  private static double millis(long[] sorted, double share) {
    if (sorted.length == 0) return 0;
    int index = (int) Math.min(sorted.length - 1, Math.floor(sorted.length * share));
    return round(sorted[index] / 1000.0, 1);
  }

  private static double round(double value, int digits) {
    double factor = Math.pow(10, digits);
    return Math.round(value * factor) / factor;
  }
}
