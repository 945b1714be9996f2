// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.load.assign.AssignBench.What;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The rounds so far; of each measure the middle one counts. */
final class Samples {
  private record Sample(double perSecond, double p50, double p95, double p99, double cpu) {}

  private final Map<What, List<Sample>> samples = new EnumMap<>(What.class);

  /**
   * @param cpu microseconds per claim, of all that had to do with it
   */
  void raw(double perSecond, double cpu) {
    add(What.RAW, new Sample(perSecond, 0, 0, 0, cpu));
  }

  void http(What what, HttpLoad.Outcome outcome, double cpu) {
    add(what, new Sample(outcome.perSecond(), outcome.p50(), outcome.p95(), outcome.p99(), cpu));
  }

  private void add(What what, Sample sample) {
    samples.computeIfAbsent(what, any -> new ArrayList<>()).add(sample);
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  AssignResult result(int rounds, int requests) {
    return new AssignResult(
        rounds,
        requests,
        line(What.RAW),
        line(What.CONSTANT),
        line(What.REAL_50),
        line(What.REAL_256),
        line(What.PLAIN_50),
        line(What.PLAIN_256),
        null);
  }

  private AssignResult.Line line(What what) {
    return new AssignResult.Line(
        what.title,
        what.connections,
        median(what, Sample::perSecond),
        median(what, Sample::p50),
        median(what, Sample::p95),
        median(what, Sample::p99),
        median(what, Sample::cpu));
  }

  private double median(What what, ToDoubleFunction<Sample> measure) {
    return median(
        samples.getOrDefault(what, List.of()).stream().map(measure::applyAsDouble).toList());
  }
}
