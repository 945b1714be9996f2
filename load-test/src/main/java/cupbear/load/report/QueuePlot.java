// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Scenario;
import cupbear.load.report.LoadReport.Slice;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Queue times by the slice in which a request was meant to start, and what was answered. */
final class QueuePlot {
  private static final double HEIGHT = 210;
  private static final double LANE_GAP = 20;
  private static final double LANE = 34;
  private static final double COLUMN = 0.9;
  private static final List<Plot.Key> KEYS =
      List.of(
          new Plot.Key("p50", "p50"),
          new Plot.Key("p95", "p95"),
          new Plot.Key("p99", "p99"),
          new Plot.Key("max", "slowest"),
          new Plot.Key("granted", "granted, below"),
          new Plot.Key("refused", "refused, below"));

  private final Plot plot;
  private final List<Slice> slices;
  private final double width;
  private final Axis.Time time;

  private QueuePlot(Plot plot, Scenario scenario) {
    this.plot = plot;
    slices = Thinned.slices(scenario.slices(), Thinned.COLUMNS);
    width = Thinned.width(scenario.slices(), scenario.length(), Thinned.COLUMNS);
    time = Axis.Time.until(scenario.length(), Plot.LEFT, Plot.INNER);
  }

  static void write(Markup out, Scenario scenario) {
    Plot plot = new Plot(out);
    plot.legend(KEYS);
    new QueuePlot(plot, scenario).write(scenario);
  }

  private void write(Scenario scenario) {
    List<MarkLabels.Label> labels = MarkLabels.place(scenario.marks(), time);
    double top = Plot.below(labels);
    double bottom = top + HEIGHT + LANE_GAP + LANE;
    long most = slices.stream().mapToLong(Slice::maxUs).max().orElse(0);
    Axis.Latency latency = Axis.Latency.upTo(most, top, HEIGHT);

    plot.begin("Queue time over the time of " + scenario.name(), bottom);
    plot.levels(latency);
    plot.contract(latency);
    plot.feet(time, bottom);
    answers(bottom - LANE);
    plot.path("max", through(Slice::maxUs, latency));
    plot.path("p99", through(Slice::p99us, latency));
    plot.path("p95", through(Slice::p95us, latency));
    plot.path("p50", through(Slice::p50us, latency));
    plot.marks(labels, bottom);
    plot.end();
  }

  /** Through the middles of the slices; where nothing was granted there is no queue time. */
  private Pen through(ToDoubleFunction<Slice> figure, Axis.Latency latency) {
    Pen pen = new Pen();
    double next = 0;
    for (Slice slice : slices) {
      if (slice.granted() == 0) continue;
      if (begin(slice) > next + width / 2) pen.lift();
      pen.to(time.at(begin(slice) + width / 2), latency.at(figure.applyAsDouble(slice)));
      next = begin(slice) + width;
    }
    return pen;
  }

  /** How many were granted and refused in each slice, as columns in a lane of their own. */
  private void answers(double top) {
    long most = slices.stream().mapToLong(QueuePlot::answered).max().orElse(0);
    Axis.Amount amount = Axis.Amount.upTo(most, top, LANE);
    plot.levels(amount);
    plot.path("granted", columns(slice -> 0, Slice::granted, amount));
    plot.path("refused", columns(Slice::granted, QueuePlot::answered, amount));
  }

  private static long answered(Slice slice) {
    return slice.granted() + slice.refused();
  }

  private static double begin(Slice slice) {
    return slice.at().toNanos() / 1e9;
  }

  private Pen columns(
      ToDoubleFunction<Slice> from, ToDoubleFunction<Slice> to, Axis.Amount amount) {
    Pen pen = new Pen();
    for (Slice slice : slices) {
      double low = from.applyAsDouble(slice);
      double high = to.applyAsDouble(slice);
      if (low == high) continue;
      double left = time.at(begin(slice));
      double right = time.at(begin(slice) + width * COLUMN);
      pen.lift();
      pen.to(left, amount.at(low));
      pen.to(left, amount.at(high));
      pen.to(right, amount.at(high));
      pen.to(right, amount.at(low));
    }
    return pen;
  }
}
