// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    return CupbearCommand.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  @Test
  void tellsProgramsWhatWasSimulatedAndHowWellItServed() throws IOException {
    int code = run("simulate", "--seeds", "2", "--hours", "0.5", "--faults", "none", "-o", "json");

    assertThat(code).as(out + " " + err).isEqualTo(ExitCode.OK);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.get("seeds").asInt()).isEqualTo(2);
    assertThat(report.get("violations")).isEmpty();
    assertThat(report.get("events").asLong()).isPositive();
    assertThat(report.get("checks").asLong()).isPositive();
    assertThat(report.get("served_warm").asDouble()).isPositive();
    assertThat(report.has("queue_p95_ms")).isTrue();
    assertThat(report.has("idle_machine_hours")).isTrue();
    assertThat(report.get("creates").asLong()).isPositive();
  }

  @Test
  void aReplayTellsTheStoryOfOneSeed() {
    int code =
        run("simulate", "--replay", "3", "--hours", "0.5", "--faults", "mild", "--demand", "burst");

    assertThat(code).as(out.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("s1       begins", "store    session.granted", "world    heals", "trace ");
  }

  @ParameterizedTest(name = "{0} {1} is refused: {2}")
  @CsvSource({
    "--seeds, 0, give at least 1",
    "--hours, 0.1, give 0.5 to 1000",
    "--schedulers, 10, give 1 to 9",
    "--faults, tame, tame",
    "--demand, none, none"
  })
  void aWrongOptionSaysWhatIsRight(String option, String value, String said) {
    assertThat(run("simulate", option, value)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(said);
  }
}
