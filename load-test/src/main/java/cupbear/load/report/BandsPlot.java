// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Band;
import cupbear.load.report.LoadReport.Bands;
import cupbear.load.report.LoadReport.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** Where the Machines of each region stood, one above the other, and who waited for one. */
final class BandsPlot {
  private static final double HEIGHT = 84;
  private static final double GAP = 24;

  /** One kind of Machines, drawn up to a count that holds those below it as well. */
  private record Layer(String style, ToIntFunction<Band> upTo) {}

  /** From the top down: each covers what of the one before is not above it. */
  private static final List<Layer> LAYERS =
      List.of(
          new Layer("draining", BandsPlot::running),
          new Layer("booting", band -> band.warm() + band.assigned() + band.booting()),
          new Layer("assigned", band -> band.warm() + band.assigned()),
          new Layer("warm", Band::warm));

  private static final List<Plot.Key> KEYS =
      List.of(
          new Plot.Key("warm", "warm"),
          new Plot.Key("assigned", "assigned"),
          new Plot.Key("booting", "booting and proving"),
          new Plot.Key("draining", "draining"),
          new Plot.Key("queue", "requests waiting"));

  private BandsPlot() {}

  static void write(Markup out, Scenario scenario) {
    List<Bands> moments = Thinned.bands(scenario.bands(), Thinned.COLUMNS);
    TreeSet<String> regions = new TreeSet<>();
    moments.forEach(moment -> regions.addAll(moment.regions().keySet()));
    if (regions.isEmpty()) {
      out.leaf("p", "Nobody looked at the pool in this scenario.", "class", "note");
      return;
    }
    Plot plot = new Plot(out);
    plot.legend(KEYS);
    Axis.Time time = Axis.Time.until(scenario.length(), Plot.LEFT, Plot.INNER);
    List<MarkLabels.Label> labels = MarkLabels.place(scenario.marks(), time);
    double top = Plot.below(labels) + GAP - 8;
    double bottom = top + regions.size() * (HEIGHT + GAP) - GAP;

    plot.begin("Machines by region over the time of " + scenario.name(), bottom);
    for (String region : regions) {
      region(plot, region, moments, time, top);
      top += HEIGHT + GAP;
    }
    plot.feet(time, bottom);
    plot.marks(labels, bottom);
    plot.end();
  }

  private static int running(Band band) {
    return band.warm() + band.assigned() + band.booting() + band.draining();
  }

  private static void region(
      Plot plot, String region, List<Bands> moments, Axis.Time time, double top) {
    Strip strip = Strip.of(region, moments, time, top);
    plot.levels(strip.amount);
    plot.text("name", Plot.LEFT + 2, top - 5, region);
    for (Layer layer : LAYERS) plot.path(layer.style, strip.area(layer.upTo));
    plot.path("queue", strip.steps(Band::queue));
  }

  /** One region's part of the picture. */
  private record Strip(String region, List<Bands> moments, Axis.Time time, Axis.Amount amount) {

    static Strip of(String region, List<Bands> moments, Axis.Time time, double top) {
      int most = 0;
      for (Bands moment : moments) {
        Band band = moment.regions().get(region);
        if (band != null) most = Math.max(most, Math.max(running(band), band.queue()));
      }
      return new Strip(region, moments, time, Axis.Amount.upTo(most, top, HEIGHT));
    }

    Pen area(ToIntFunction<Band> count) {
      Pen pen = new Pen();
      if (moments.stream().allMatch(moment -> count(moment, count) == 0)) return pen;
      pen.to(time.at(moments.getFirst().at()), amount.at(0));
      draw(pen, count);
      pen.to(end(), amount.at(0));
      return pen;
    }

    Pen steps(ToIntFunction<Band> count) {
      Pen pen = new Pen();
      draw(pen, count);
      return pen;
    }

    /** A count stays what it was until somebody looks again. */
    private void draw(Pen pen, ToIntFunction<Band> count) {
      double y = amount.at(count(moments.getFirst(), count));
      for (Bands moment : moments) {
        double x = time.at(moment.at());
        pen.to(x, y);
        y = amount.at(count(moment, count));
        pen.to(x, y);
      }
      pen.to(end(), y);
    }

    /** Where the next look would have been. */
    private double end() {
      int last = moments.size() - 1;
      Duration at = moments.get(last).at();
      return time.at(last == 0 ? at : at.plus(at.minus(moments.get(last - 1).at())));
    }

    private int count(Bands moment, ToIntFunction<Band> count) {
      Band band = moment.regions().get(region);
      return band == null ? 0 : count.applyAsInt(band);
    }
  }
}
