// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows under headings, aligned; numbers to the right. */
final class Table {
  /**
   * One cell.
   *
   * @param tone how it looks on a terminal with colours
   */
  record Cell(String text, Tone tone) {
    Cell {
      text = Human.clean(text);
    }

    private int width() {
      return text.codePointCount(0, text.length());
    }
  }

  /** What a cell says about itself. */
  enum Tone {
    PLAIN(""),
    GOOD("\u001b[32m"),
    ODD("\u001b[33m"),
    BAD("\u001b[1;31m");

    private final String code;

    Tone(String code) {
      this.code = code;
    }
  }

  private static final String GAP = "  ";
  private static final String RESET = "\u001b[0m";

  private final List<String> headings;
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A heading that ends in {@code >} has its column to the right. */
  Table(String... headings) {
    this.headings = List.of(headings);
  }

  /** One cell per heading, each a {@link Cell} or a text. */
  void row(Object... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          "%d cells under %d headings".formatted(cells.length, headings.size()));
    }
    rows.add(Stream.of(cells).map(Table::cell).toList());
  }

  private static Cell cell(Object value) {
    return value instanceof Cell cell ? cell : new Cell(value.toString(), Tone.PLAIN);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  void print(PrintWriter out, boolean colour) {
    List<List<Cell>> all = new ArrayList<>();
    all.add(headings.stream().map(each -> cell(each.replace(">", ""))).toList());
    all.addAll(rows);
    int[] widths = new int[headings.size()];
    for (List<Cell> row : all) {
      for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).width());
    }
    for (List<Cell> row : all) out.println(line(row, widths, colour));
    out.flush();
  }

  private String line(List<Cell> row, int[] widths, boolean colour) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      Cell cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.width());
      boolean right = headings.get(i).endsWith(">");
      boolean coloured = colour && !cell.tone().code.isEmpty();
      if (i > 0) line.append(GAP);
      if (right) line.append(padding);
      line.append(coloured ? cell.tone().code + cell.text() + RESET : cell.text());
      if (!right && i < row.size() - 1) line.append(padding);
    }
    return line.toString().stripTrailing();
  }
}
