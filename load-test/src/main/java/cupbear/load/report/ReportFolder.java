// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * A report on disk: {@code index.html} to read, {@code report.json} for programs, {@code
 * results.md} for a README, and {@code <scenario>.hgrm} for HdrHistogram's own plotter.
 */
public final class ReportFolder {
  private static final double MICROS_PER_MILLI = 1_000;

  private ReportFolder() {}

  /** Writes over what is there; returns the page. */
  public static Path write(LoadReport report, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (LoadReport.Scenario scenario : report.scenarios()) {
      put(folder.resolve(Page.slug(scenario.name()) + ".hgrm"), percentiles(scenario.queue()));
    }
    put(folder.resolve("report.json"), ReportJson.text(report));
    put(folder.resolve("results.md"), ResultsTable.of(report));
    Path page = folder.resolve("index.html");
    put(page, Page.of(report));
    return page;
  }

  private static String percentiles(Histogram queue) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      queue.outputPercentileDistribution(out, MICROS_PER_MILLI);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static void put(Path file, String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
