// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.core.DemandRule;
import cupbear.scheduler.core.PoolSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command, and the page that explains it: both show the same figures. */
class SizeCommandTest {
  private static final Path PAGE = Path.of("..", "docs", "how-to", "size-a-pool.md");
  private static final List<Double> MISSES = List.of(0.05, 0.01, 0.001);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    return CupbearCommand.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  @Test
  void programsGetEveryFigure() throws IOException {
    int code =
        run(
            "size",
            "--arrivals",
            "5/min",
            "--boot",
            "60s",
            "--session",
            "20m",
            "--miss",
            "1%",
            "-o",
            "json");

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
    JsonNode size = new ObjectMapper().readTree(out.toString());
    assertThat(size.at("/concurrency").asDouble()).isEqualTo(100);
    assertThat(size.at("/concurrency_p90").asInt()).isEqualTo(113);
    assertThat(size.at("/machines").asInt()).isEqualTo(117);
    assertThat(size.at("/refill_seconds").asInt()).isEqualTo(69);
    assertThat(size.at("/by_refill").toString()).isEqualTo("{\"warm_min\":12,\"warm_max\":17}");
    assertThat(size.at("/by_refill_with_spill/warm_min").asInt()).isEqualTo(11);
    assertThat(size.at("/by_concurrency/warm_max").asInt()).isEqualTo(159);
  }

  @ParameterizedTest(name = "{0} and {1} is the same as 5/min and 1%")
  @CsvSource({"300/h, 0.01", "7200/d, 1.0%", "5.0/min, 1%"})
  void aRateAndAShareMayBeWrittenInSeveralWays(String arrivals, String miss) {
    run("size", "--arrivals", arrivals, "--session", "20m", "--miss", miss);
    assertThat(out.toString()).contains("{warm_min: 12, warm_max: 17}");
  }

  @ParameterizedTest(name = "{0} {1} is refused: {2}")
  @CsvSource({
    "--arrivals, 5, such as 5/min",
    "--arrivals, 0/min, above 0",
    "--arrivals, 5/year, such as 5/min",
    "--arrivals, 999999999/s, give smaller figures",
    "--boot, 0s, such as 60s",
    "--session, 20, such as 60s",
    "--miss, 0, such as 1%",
    "--miss, 60%, at most 50%",
    "--miss, few, such as 1%"
  })
  void aWrongOptionSaysWhatIsRight(String option, String value, String said) {
    List<String> words =
        List.of("size", "--arrivals", "5/min", "--boot", "60s", "--session", "20m", "--miss", "1%");
    String[] changed = words.toArray(String[]::new);
    changed[words.indexOf(option) + 1] = value;

    assertThat(run(changed)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(option.equals("--arrivals") ? "" : option).contains(said);
    assertThat(err.toString()).doesNotContain("picocli WARN");
  }

  @Test
  void thePageShowsWhatTheCommandPrints() throws IOException {
    Matcher shown =
        Pattern.compile("```text\n\\$ \\./cupbear (size [^\n]*)\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(shown.find()).as("an example of the command in %s", PAGE).isTrue();
    do {
      out.getBuffer().setLength(0);
      run(shown.group(1).split(" "));
      assertThat(shown.group(2)).as(shown.group(1)).isEqualTo(out.toString());
    } while (shown.find());
  }

  @Test
  void thePageHasTheTablesOfTheCode() throws IOException {
    assertThat(Files.readString(PAGE))
        .contains(
            table(List.of(1, 2, 5, 10, 15, 30), (a, miss) -> DemandRule.baseStock(a, miss, 1000)))
        .contains(table(List.of(1, 2, 5, 10, 15, 30), PoolSize::erlangB))
        .contains(table(List.of(5, 10, 20, 35, 50, 100), PoolSize::erlangB));
  }

  /** The rows of a table with one load per row and one accepted miss per column. */
  private static String table(List<Integer> loads, ToIntBiFunction<Double, Double> rule) {
    return loads.stream()
        .map(load ->
            MISSES.stream()
                .map(miss -> String.valueOf(rule.applyAsInt(load.doubleValue(), miss)))
                .collect(Collectors.joining(" | ", "| " + load + " | ", " |\n")))
        .collect(Collectors.joining());
  }
}
