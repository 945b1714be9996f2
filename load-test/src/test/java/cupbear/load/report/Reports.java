// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.About;
import cupbear.load.report.LoadReport.Band;
import cupbear.load.report.LoadReport.Bands;
import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Mark;
import cupbear.load.report.LoadReport.Promise;
import cupbear.load.report.LoadReport.Scenario;
import cupbear.load.report.LoadReport.Slice;
import cupbear.load.report.LoadReport.Threshold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Reports of runs that never were, to see how they are told. */
final class Reports {
  private static final List<String> REGIONS = List.of("iad", "lhr", "nrt");

  private Reports() {}

  static LoadReport of(Scenario... scenarios) {
    return new LoadReport(about("./cupbear load --scenario all --seed 7"), List.of(scenarios));
  }

  static About about(String command) {
    return new About(
        Instant.parse("2026-11-18T20:00:00Z"),
        command,
        7,
        About.OWN_STACK,
        "0.1.0",
        "abc1234",
        "25",
        "Linux",
        2,
        16L << 30,
        "7.0.15");
  }

  /** A scenario with nothing in it but its name. */
  static Scenario empty(String name) {
    return new Scenario(
        name,
        "does nothing",
        Duration.ofSeconds(1),
        new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0),
        List.of(),
        List.of(),
        new Histogram(3),
        List.of(),
        List.of(),
        List.of());
  }

  static Scenario with(Scenario scenario, List<Slice> slices, List<Bands> bands) {
    return new Scenario(
        scenario.name(),
        scenario.what(),
        scenario.length(),
        scenario.counts(),
        scenario.thresholds(),
        scenario.promises(),
        scenario.queue(),
        slices,
        bands,
        scenario.marks());
  }

  static Scenario with(Scenario scenario, Promise... promises) {
    return new Scenario(
        scenario.name(),
        scenario.what(),
        scenario.length(),
        scenario.counts(),
        scenario.thresholds(),
        List.of(promises),
        scenario.queue(),
        scenario.slices(),
        scenario.bands(),
        scenario.marks());
  }

  static Scenario with(Scenario scenario, List<Mark> marks) {
    return new Scenario(
        scenario.name(),
        scenario.what(),
        scenario.length(),
        scenario.counts(),
        scenario.thresholds(),
        scenario.promises(),
        scenario.queue(),
        scenario.slices(),
        scenario.bands(),
        marks);
  }

  /** Something like a real scenario of so many seconds: one outage, three regions. */
  static Scenario busy(String name, int seconds) {
    Random random = new Random(name.hashCode());
    Histogram queue = new Histogram(3);
    List<Slice> slices = new ArrayList<>();
    List<Bands> bands = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      boolean isOut = i >= seconds / 2 && i < seconds / 2 + 3;
      Histogram inSlice = new Histogram(3);
      for (int j = 0; j < 20 && !isOut; j++) {
        double tail = random.nextDouble() < 0.02 ? 60 : 1;
        inSlice.recordValue((long) (tail * (1_500 + 900 * Math.abs(random.nextGaussian()))));
      }
      queue.add(inSlice);
      slices.add(slice(i, inSlice, isOut ? 20 : 0));
      bands.add(bands(i, random));
    }
    return new Scenario(
        name,
        "50 sessions at a time, each of a few seconds, come and go at a steady rate.",
        Duration.ofSeconds(seconds),
        new Counts(20L * seconds, 0, 0, queue.getTotalCount(), 60, 0, 900, 1, 50),
        List.of(
            new Threshold("p95 ≤ 500 ms", "2.9 ms", true),
            new Threshold("late or dropped arrivals: 0", "0", true)),
        List.of(
            new Promise("no Machine in two sessions", queue.getTotalCount(), List.of()),
            new Promise("no session on an unproven Machine", queue.getTotalCount(), List.of()),
            new Promise("no live session stopped", 0, List.of())),
        queue,
        slices,
        bands,
        List.of(
            new Mark(Duration.ofSeconds(seconds / 2), "scheduler 1 killed with SIGKILL"),
            new Mark(Duration.ofSeconds(seconds / 2 + 3), "scheduler 1 started again"),
            new Mark(Duration.ofSeconds(seconds - 2), "everything else is healed as well")));
  }

  private static Slice slice(int second, Histogram inSlice, long refused) {
    return new Slice(
        Duration.ofSeconds(second),
        inSlice.getTotalCount(),
        refused,
        inSlice.getValueAtPercentile(50),
        inSlice.getValueAtPercentile(95),
        inSlice.getValueAtPercentile(99),
        inSlice.getMaxValue());
  }

  private static Bands bands(int second, Random random) {
    TreeMap<String, Band> regions = new TreeMap<>();
    IntStream.range(0, REGIONS.size())
        .forEach(i ->
            regions.put(
                REGIONS.get(i),
                new Band(
                    8 + random.nextInt(5),
                    10 + random.nextInt(8),
                    random.nextInt(4),
                    random.nextInt(4),
                    i,
                    random.nextInt(10) == 0 ? random.nextInt(20) : 0)));
    return new Bands(Duration.ofSeconds(second), regions);
  }
}
