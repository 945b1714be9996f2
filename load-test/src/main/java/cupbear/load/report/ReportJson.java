// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.About;
import cupbear.load.report.LoadReport.Band;
import cupbear.load.report.LoadReport.Bands;
import cupbear.load.report.LoadReport.Scenario;
import cupbear.load.report.LoadReport.Slice;
import cupbear.scheduler.cli.Output;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The report for programs. Its shape is written down in load-test/README.md and only grows: fields
 * may come, none changes its meaning. Times are seconds since the scenario began, queue times
 * milliseconds; what changes over time stands in columns, which plotting programs take as they are.
 */
public final class ReportJson {
  private static final int FORMAT = 1;
  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99, 100};

  private ReportJson() {}

  public static String text(LoadReport report) {
    StringWriter text = new StringWriter();
    Output.printJson(new PrintWriter(text), of(report));
    return text.toString();
  }

  /** The document as values, for {@code -o json}. */
  public static Map<String, Object> of(LoadReport report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("format", FORMAT);
    json.put("passed", report.passed());
    json.put("about", about(report.about()));
    json.put("scenarios", report.scenarios().stream().map(ReportJson::scenario).toList());
    return json;
  }

  private static Map<String, Object> about(About about) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("began", about.began().toString());
    json.put("command", about.command());
    json.put("seed", about.seed());
    json.put("target", about.target());
    json.put("version", about.version());
    json.put("commit", about.commit());
    json.put("java", about.java());
    json.put("os", about.os());
    json.put("cores", about.cores());
    json.put("memory_bytes", about.memoryBytes());
    json.put("redis", about.redis());
    return json;
  }

  private static Map<String, Object> scenario(Scenario scenario) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", scenario.name());
    json.put("what", scenario.what());
    json.put("passed", scenario.passed());
    json.put("length_s", seconds(scenario.length()));
    json.put("counts", scenario.counts());
    json.put("thresholds", scenario.thresholds());
    json.put("promises", scenario.promises());
    json.put("queue_ms", queue(scenario.queue()));
    json.put("slices", slices(scenario.slices()));
    json.put("bands", bands(scenario.bands()));
    json.put(
        "marks",
        scenario.marks().stream()
            .map(mark -> Map.of("at_s", seconds(mark.at()), "what", mark.what()))
            .map(TreeMap::new)
            .toList());
    return json;
  }

  private static Map<String, Object> queue(Histogram queue) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", queue.getTotalCount());
    json.put("mean", queue.getTotalCount() == 0 ? null : queue.getMean() / 1e3);
    Map<String, @Nullable Double> percentiles = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      percentiles.put(
          Figures.percentile(percentile),
          queue.getTotalCount() == 0 ? null : queue.getValueAtPercentile(percentile) / 1e3);
    }
    json.put("percentiles", percentiles);
    json.put("hdr_microseconds", encoded(queue));
    return json;
  }

  /** What {@code Histogram.decodeFromCompressedByteBuffer} reads, in Base64. */
  private static String encoded(Histogram queue) {
    ByteBuffer buffer = ByteBuffer.allocate(queue.getNeededByteBufferCapacity());
    int length = queue.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static Map<String, Object> slices(List<Slice> slices) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("at_s", column(slices, slice -> seconds(slice.at())));
    json.put("granted", column(slices, Slice::granted));
    json.put("refused", column(slices, Slice::refused));
    json.put("p50_ms", column(slices, slice -> millis(slice, slice.p50us())));
    json.put("p95_ms", column(slices, slice -> millis(slice, slice.p95us())));
    json.put("p99_ms", column(slices, slice -> millis(slice, slice.p99us())));
    json.put("max_ms", column(slices, slice -> millis(slice, slice.maxUs())));
    return json;
  }

  private static @Nullable Double millis(Slice slice, long micros) {
    return slice.granted() == 0 ? null : micros / 1e3;
  }

  private static Map<String, Object> bands(List<Bands> bands) {
    TreeSet<String> regions = new TreeSet<>();
    bands.forEach(each -> regions.addAll(each.regions().keySet()));
    Map<String, Object> byRegion = new LinkedHashMap<>();
    for (String region : regions) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("warm", column(region, bands, Band::warm));
      json.put("assigned", column(region, bands, Band::assigned));
      json.put("booting", column(region, bands, Band::booting));
      json.put("draining", column(region, bands, Band::draining));
      json.put("parked", column(region, bands, Band::parked));
      json.put("queue", column(region, bands, Band::queue));
      byRegion.put(region, json);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("at_s", column(bands, each -> seconds(each.at())));
    json.put("regions", byRegion);
    return json;
  }

  private static List<@Nullable Integer> column(
      String region, List<Bands> bands, Function<Band, Integer> figure) {
    return column(
        bands,
        each -> {
          Band band = each.regions().get(region);
          return band == null ? null : figure.apply(band);
        });
  }

  private static <T, F> List<@Nullable F> column(List<T> rows, Function<T, @Nullable F> figure) {
    List<@Nullable F> column = new ArrayList<>(rows.size());
    rows.forEach(row -> column.add(figure.apply(row)));
    return column;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
