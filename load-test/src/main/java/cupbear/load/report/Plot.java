// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.Axis.Tick;
import cupbear.load.report.LoadReport.Mark;
import java.util.List;

/** What all plots have: a frame, lines that help to read it, and faults over the time. */
final class Plot {
  static final double WIDTH = 1000;
  static final double LEFT = 66;
  static final double INNER = WIDTH - LEFT - 14;

  private static final double TOP = 6;
  private static final double BELOW = 22;
  private static final double HALF_A_WORD = 30;

  private final Markup out;

  Plot(Markup out) {
    this.out = out;
  }

  /** A legend's entry: the class that colours it, and what it means. */
  record Key(String style, String meaning) {}

  /** Where the frame of a plot may begin below the labels of these faults. */
  static double below(List<MarkLabels.Label> labels) {
    return TOP + MarkLabels.rows(labels) * MarkLabels.ROW + (labels.isEmpty() ? 4 : 6);
  }

  /** Opens a picture; what it shows is said to those who cannot see it. */
  void begin(String says, double bottom) {
    out.open("div", "class", "plot", "tabindex", "0", "role", "group", "aria-label", says);
    String box = "0 0 " + Figures.plain(WIDTH) + " " + Figures.plain(bottom + BELOW);
    out.open("svg", "viewBox", box, "role", "img", "aria-label", says).raw("\n");
  }

  void end() {
    out.close("svg").close("div");
  }

  void legend(List<Key> keys) {
    out.open("ul", "class", "legend");
    for (Key key : keys) {
      out.open("li").open("i", "class", "key " + key.style).raw("</i>");
      out.text(key.meaning).close("li");
    }
    out.close("ul");
  }

  /** Lines across at each tick of an axis that goes upwards, and its words left of them. */
  void levels(Axis axis) {
    for (Tick tick : axis.ticks()) {
      double y = axis.at(tick.value());
      line("grid", LEFT, y, LEFT + INNER, y);
      text("end", LEFT - 6, y + 4, tick.label());
    }
  }

  /** Short lines below each tick of an axis that goes to the right, and its words. */
  void feet(Axis axis, double bottom) {
    line("axis", LEFT, bottom, LEFT + INNER, bottom);
    for (Tick tick : axis.ticks()) {
      double x = axis.at(tick.value());
      line("axis", x, bottom, x, bottom + 4);
      boolean isLast = x > LEFT + INNER - HALF_A_WORD;
      text(isLast ? "end" : "middle", isLast ? WIDTH : x, bottom + 16, tick.label());
    }
  }

  /** The line that decides: half a second. */
  void contract(Axis.Latency axis) {
    double y = axis.at(Figures.CONTRACT_US);
    line("contract", LEFT, y, LEFT + INNER, y);
    text("end contract", LEFT + INNER - 2, y - 4, "0.5 s: the contract for p95");
  }

  /** A line from each fault's label down to the bottom. */
  void marks(List<MarkLabels.Label> labels, double bottom) {
    for (MarkLabels.Label label : labels) {
      double y = TOP + label.row() * MarkLabels.ROW;
      out.open("g", "class", "mark");
      Mark mark = label.mark();
      out.leaf("title", Figures.span(mark.at()) + ": " + mark.what());
      line("fault", label.x(), y, label.x(), bottom);
      text("fault", label.start() + 4, y + 10, label.text());
      out.close("g");
    }
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    Pen pen = new Pen();
    pen.to(x1, y1);
    pen.to(x2, y2);
    path(style, pen);
  }

  void path(String style, Pen pen) {
    if (!pen.isEmpty()) out.shape("path", "class", style, "d", pen);
  }

  /** Words with a style that says at which end they are held: start, middle or end. */
  void text(String style, double x, double y, String text) {
    out.leaf("text", text, "class", style, "x", Math.round(x), "y", Math.round(y));
  }
}
