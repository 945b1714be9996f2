// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.report.LoadReport.Bands;
import cupbear.load.report.LoadReport.Mark;
import cupbear.load.report.LoadReport.Promise;
import cupbear.load.report.LoadReport.Scenario;
import cupbear.load.report.LoadReport.Slice;
import cupbear.load.report.LoadReport.Threshold;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run saw stands on the page and in the JSON as it was, whatever its words are. */
class ReportFolderTest {
  private static final List<String> ALL =
      List.of(
          "steady",
          "step",
          "burst",
          "storm",
          "churn",
          "region-loss",
          "replica-kill",
          "redis-failover",
          "redis-wipe",
          "fly-429",
          "fly-down",
          "hung-viewers",
          "bad-image",
          "list-collapse",
          "soak");

  @TempDir private Path folder;

  private String page(Scenario... scenarios) throws IOException {
    return Files.readString(ReportFolder.write(Reports.of(scenarios), folder));
  }

  private JsonObject json() throws IOException {
    return new JsonObject(Files.readString(folder.resolve("report.json")));
  }

  @Test
  void aRunThatKeptEverythingPassed() throws IOException {
    assertThat(page(Reports.busy("steady", 30)))
        .contains("✓ Passed.", "✓ met", "✓ kept", "– nothing to check", "id=\"steady\"")
        .contains("./cupbear load --scenario all --seed 7", "abc1234")
        .doesNotContain("✗");
    assertThat(json().getBoolean("passed")).isTrue();
  }

  @Test
  void aBrokenPromiseIsOnTopAndWhereItBroke() throws IOException {
    String seen = "machine 3d8d4 in ses_1 and ses_2 from 3.1 s to 4.0 s";
    Promise broken = new Promise("no Machine in two sessions", 40, List.of(seen));
    String page = page(Reports.busy("churn", 10), Reports.with(Reports.busy("step", 10), broken));

    assertThat(page).contains("✗ Failed.", "1 of 2 scenarios: step.", "✗ broken once", seen);
    JsonObject step = json().getJsonArray("scenarios").getJsonObject(1);
    assertThat(step.getBoolean("passed")).isFalse();
    assertThat(step.getJsonArray("promises").getJsonObject(0).getJsonArray("broken"))
        .containsExactly(seen);
  }

  @Test
  void aMissedThresholdFailsTheRun() throws IOException {
    Scenario busy = Reports.empty("steady");
    Scenario slow =
        new Scenario(
            busy.name(),
            busy.what(),
            busy.length(),
            busy.counts(),
            List.of(new Threshold("p95 ≤ 500 ms", "612 ms", false)),
            busy.promises(),
            busy.queue(),
            busy.slices(),
            busy.bands(),
            busy.marks());
    assertThat(page(slow)).contains("✗ Failed.", "✗ missed", "612 ms");
  }

  @Test
  void manyViolationsStandInFullOnlyInTheJson() throws IOException {
    List<String> seen = Stream.iterate(0, i -> i + 1).limit(500).map(i -> "twice " + i).toList();
    String page = page(Reports.with(Reports.empty("storm"), new Promise("once", 500, seen)));

    assertThat(page).contains("broken 500 times", "twice 29", "and 470 more in report.json");
    assertThat(page).doesNotContain("twice 30<");
    assertThat(json().getJsonArray("scenarios").getJsonObject(0).getJsonArray("promises"))
        .extracting(each -> ((JsonObject) each).getJsonArray("broken").size())
        .containsExactly(500);
  }

  @Test
  void wordsFromOutsideAreOnlyWords() throws IOException {
    String hostile = "</svg></style><script>alert(1)</script>\" onload='x' \u202E \u0000 \uD800";
    Scenario scenario =
        Reports.with(
            Reports.with(
                Reports.empty(hostile + "/../.."), new Promise(hostile, 1, List.of(hostile))),
            List.of(new Mark(Duration.ofMillis(500), hostile)));
    LoadReport report = new LoadReport(Reports.about(hostile), List.of(scenario));

    String page = Files.readString(ReportFolder.write(report, folder.resolve("in")));

    assertThat(page).doesNotContain("<script", "onload='", "onload=\"", "\u202E", "\u0000");
    assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39;");
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSize(4)
          .allMatch(file -> folder.resolve("in").equals(file.getParent()));
    }
  }

  @Test
  void nothingAtAllIsAReportToo() throws IOException {
    assertThat(page(Reports.empty("steady")))
        .contains("Nothing was granted in this scenario.", "Nobody looked at the pool")
        .doesNotContain("NaN", "Infinity");
    JsonObject queue = json().getJsonArray("scenarios").getJsonObject(0).getJsonObject("queue_ms");
    assertThat(queue.getLong("count")).isZero();
    assertThat(queue.getJsonObject("percentiles").getDouble("p95")).isNull();
    assertThat(folder.resolve("steady.hgrm")).exists();
  }

  @Test
  void oneSliceAndOneMomentAreDrawn() throws IOException {
    Slice slice = new Slice(Duration.ZERO, 3, 1, 900, 1_100, 1_200, 1_200);
    Bands moment = Reports.busy("x", 1).bands().getFirst();
    assertThat(page(Reports.with(Reports.empty("one"), List.of(slice), List.of(moment))))
        .contains("<path class=\"p95\" d=\"M", "<path class=\"refused\" d=\"M", ">iad<")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void aLineEndsWhereNothingWasAsked() throws IOException {
    List<Slice> all = Reports.busy("x", 9).slices();
    List<Slice> apart = List.of(all.get(0), all.get(1), all.get(7), all.get(8));
    String page = page(Reports.with(Reports.empty("apart"), apart, List.of()));
    String line = page.substring(page.indexOf("<path class=\"p95\" d=\"") + 21).split("\"", 2)[0];
    assertThat(line.chars().filter(letter -> letter == 'M')).hasSize(2);
  }

  @Test
  void slicesFarApartAreAsNarrowAsTheyWere() throws IOException {
    List<Slice> all = Reports.busy("x", 12).slices();
    Scenario burst = Reports.busy("burst", 20);
    String page =
        page(Reports.with(burst, List.of(all.get(1), all.get(6), all.get(11)), burst.bands()));
    String columns = page.split("<path class=\"granted\" d=\"", 2)[1].split("\"", 2)[0];
    // A second of twenty is 46 wide; a column leaves a tenth of it free.
    assertThat(columns).matches("(M\\d+ \\d+h0v-34h4[12]v34)+");
  }

  @Test
  void aRegionThatNobodySawForAWhileIsNotWarm() throws IOException {
    TreeMap<String, LoadReport.Band> none = new TreeMap<>();
    Bands seen = Reports.busy("x", 1).bands().getFirst();
    Bands unseen = new Bands(Duration.ofSeconds(1), none);
    page(Reports.with(Reports.empty("one"), List.of(), List.of(seen, unseen)));
    JsonArray warm =
        json()
            .getJsonArray("scenarios")
            .getJsonObject(0)
            .getJsonObject("bands")
            .getJsonObject("regions")
            .getJsonObject("iad")
            .getJsonArray("warm");
    assertThat(warm.getInteger(0)).isPositive();
    assertThat(warm.getValue(1)).isNull();
  }

  @Test
  void thePageAsksForNothing() throws IOException {
    assertThat(page(Reports.busy("steady", 20)))
        .doesNotContain("http:", "https:", "//", "url(", "@import", "<link", "<script", " src=");
  }

  @Test
  void allScenariosTogetherFitAPageThatCanBeCommitted() throws IOException {
    Scenario[] all = ALL.stream().map(name -> Reports.busy(name, 90)).toArray(Scenario[]::new);
    assertThat(page(all).length()).isLessThan(400_000);
    assertThat(page(Reports.busy("soak", 7_200)).length()).isLessThan(60_000);
  }

  @Test
  void theJsonHoldsTheFiguresThatWereMeasured() throws Exception {
    Scenario steady = Reports.busy("steady", 40);
    page(steady);

    JsonObject told = json().getJsonArray("scenarios").getJsonObject(0);
    JsonObject queue = told.getJsonObject("queue_ms");
    byte[] encoded = Base64.getDecoder().decode(queue.getString("hdr_microseconds"));
    Histogram decoded = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
    assertThat(decoded).isEqualTo(steady.queue());
    assertThat(queue.getJsonObject("percentiles").getDouble("p99"))
        .isEqualTo(steady.queue().getValueAtPercentile(99) / 1e3);
    assertThat(told.getJsonObject("counts").getInteger("most_at_once")).isEqualTo(50);
    JsonObject slices = told.getJsonObject("slices");
    assertThat(slices.getJsonArray("p95_ms")).hasSize(40);
    assertThat(slices.getJsonArray("p95_ms").getDouble(3))
        .isEqualTo(steady.slices().get(3).p95us() / 1e3);
    assertThat(slices.getJsonArray("p95_ms").getDouble(20)).as("in the outage").isNull();
    assertThat(told.getJsonArray("marks").getJsonObject(0).getDouble("at_s")).isEqualTo(20);
    assertThat(Files.readString(folder.resolve("steady.hgrm")))
        .contains("Percentile", "#[Max     =");
  }
}
