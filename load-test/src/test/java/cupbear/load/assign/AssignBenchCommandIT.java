// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.cli.CupbearCommand;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A run that is too short to say anything about speed, and long enough to say everything else. */
class AssignBenchCommandIT {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private CommandLine line() {
    CommandLine line = CupbearCommand.commandLine();
    Objects.requireNonNull(line.getSubcommands().get("bench"))
        .addSubcommand(new AssignBenchCommand());
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }

  @Test
  void everyWayIsMeasuredAndNothingIsRefused() {
    int exit =
        line()
            .execute(
                "bench", "assign", "--rounds=1", "--requests=300", "--machines=200", "-o", "json");
    assertThat(exit).as(err.toString()).isZero();
    JsonObject json = new JsonObject(out.toString());
    for (String what :
        new String[] {"raw", "constant", "real50", "real256", "plain50", "plain256"}) {
      assertThat(json.getJsonObject(what).getDouble("per_second")).as(what).isPositive();
    }
    assertThat(json.getJsonObject("real256").getDouble("p99")).isPositive();
    assertThat(json.getDouble("real_to_limit")).isPositive();
    assertThat(json.getDouble("real_to_plain")).isPositive();
    assertThat(json.getJsonObject("growth").getInteger("large_pool")).isEqualTo(200);
  }

  @Test
  void wrongNumbersAreRefusedWithWhatToGive() {
    assertThat(line().execute("bench", "assign", "--rounds=0")).isEqualTo(2);
    assertThat(err.toString()).contains("at least 1");
  }
}
