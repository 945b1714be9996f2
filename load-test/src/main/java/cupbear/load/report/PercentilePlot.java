// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Scenario;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Which share of the requests waited at most how long; the far end is where trouble shows. */
final class PercentilePlot {
  private static final double TOP = 12;
  private static final double HEIGHT = 170;
  private static final int STEPS_PER_HALF = 6;

  private PercentilePlot() {}

  static void write(Markup out, Scenario scenario) {
    Histogram queue = scenario.queue();
    if (queue.getTotalCount() == 0) {
      out.leaf("p", "Nothing was granted in this scenario.", "class", "note");
      return;
    }
    Axis.Nines share = Axis.Nines.of(queue.getTotalCount(), Plot.LEFT, Plot.INNER);
    Axis.Latency latency = Axis.Latency.upTo(queue.getMaxValue(), TOP, HEIGHT);
    Plot plot = new Plot(out);
    plot.begin("Queue time by percentile in " + scenario.name(), TOP + HEIGHT);
    plot.levels(latency);
    plot.contract(latency);
    plot.feet(share, TOP + HEIGHT);
    Pen pen = new Pen();
    for (HistogramIterationValue value : queue.percentiles(STEPS_PER_HALF)) {
      double at = (double) Math.min(value.getValueIteratedTo(), queue.getMaxValue());
      pen.to(share.at(value.getPercentileLevelIteratedTo()), latency.at(at));
    }
    plot.path("p95", pen);
    plot.end();
  }
}
