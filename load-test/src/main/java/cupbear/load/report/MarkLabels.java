// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Mark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the labels of faults go above a plot, so that none covers another. The earlier label takes
 * the upper row, so that the line of the later one does not run through it.
 */
final class MarkLabels {
  static final double ROW = 15;

  /** With more than these, a label is only a number; the list below the plot says the rest. */
  private static final int MOST_WITH_WORDS = 12;

  private static final int LONGEST = 44;
  private static final double LETTER = 6.4;
  private static final double GAP = 10;

  /**
   * A mark with its place.
   *
   * @param x of the line
   * @param start of the text; left of {@code x} only where the plot ends
   * @param row from the top
   */
  record Label(Mark mark, double x, double start, double end, int row, String text) {
    private boolean covers(double from, double to) {
      return from < end + GAP && start < to + GAP;
    }
  }

  private MarkLabels() {}

  static int rows(List<Label> labels) {
    return labels.stream().mapToInt(label -> label.row + 1).max().orElse(0);
  }

  /** In order of time, which is also the order of their numbers. */
  static List<Mark> inOrder(List<Mark> marks) {
    return marks.stream().sorted(Comparator.comparing(Mark::at)).toList();
  }

  static List<Label> place(List<Mark> marks, Axis.Time axis) {
    boolean words = marks.size() <= MOST_WITH_WORDS;
    double right = axis.left() + axis.width();
    List<Label> placed = new ArrayList<>();
    for (Mark mark : inOrder(marks)) {
      String text = (placed.size() + 1) + (words ? " " + shortened(mark.what()) : "");
      double width = text.codePoints().mapToDouble(MarkLabels::width).sum();
      double x = axis.at(mark.at());
      double start = Math.max(axis.left(), Math.min(x, right - width));
      int row = freeRow(placed, x, start, start + width);
      placed.add(new Label(mark, x, start, start + width, row, text));
    }
    return placed;
  }

  private static int freeRow(List<Label> placed, double x, double start, double end) {
    int row = 0;
    for (Label other : placed) {
      boolean inTheWay = other.covers(start, end) || other.covers(x, x);
      if (inTheWay) row = Math.max(row, other.row + 1);
    }
    return row;
  }

  private static String shortened(String what) {
    int[] points = what.codePoints().toArray();
    if (points.length <= LONGEST) return what;
    return new String(points, 0, LONGEST - 1) + "…";
  }

  /** A guess that is rather too wide: letters beyond Latin and Greek are often twice as wide. */
  private static double width(int point) {
    return point < 0x500 ? LETTER : 2 * LETTER;
  }
}
