// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Maven runs tests in the module's folder. */
  private static final Path EXAMPLE = Path.of("..", "docs", "examples", "observed.json");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Object... args) {
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) words[i] = args[i].toString();
    return CupbearCommand.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  @Test
  void theExampleShowsEachKindOfDecisionWithItsReason() throws IOException {
    assertThat(run("plan", "--file", EXAMPLE, "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode plan = JSON.readTree(out.toString());
    List<String> actions = new ArrayList<>();
    for (JsonNode each : plan.get("actions")) {
      assertThat(each.get("because").asText()).isNotBlank();
      actions.add("%s %s".formatted(each.get("action").asText(), each.get("reason").asText()));
    }
    assertThat(actions)
        .containsExactly(
            "lose exited",
            "doubt unproven",
            "start under_target",
            "create under_target",
            "teardown session_ended",
            "destroy struck_out",
            "destroy host_doubtful",
            "destroy old_template");
    assertThat(plan.get("target").get("warm").asInt()).isEqualTo(6);
    assertThat(plan.get("counts").get("assigned").asInt()).isEqualTo(1);
    assertThat(plan.get("partial").asBoolean()).isFalse();
    assertThat(plan.get("findings").findValuesAsText("finding"))
        .containsExactly("host_doubtful", "session_lost", "unknown_machines", "foreign_machines");
  }

  @Test
  void theSameFileGivesTheSamePlan() {
    assertThat(run("plan", "-f", EXAMPLE, "-o", "json")).isEqualTo(ExitCode.OK);
    String first = out.toString();
    out.getBuffer().setLength(0);
    assertThat(run("plan", "-f", EXAMPLE, "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(first);
  }

  @Test
  void peopleReadTargetCountsActionsAndFindings() {
    assertThat(run("plan", "--file", EXAMPLE)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("viewers in iad at 2026-11-18T12:00:00Z")
        .contains("target   ", "counted  1 warm, 1 coming up, 2 expected")
        .contains("destroy   3d8d413b29d089     struck_out: 3 probes in a row failed")
        .contains("alert    session_lost: 1 sessions lost their Machine");
  }

  @Test
  void aQuietPoolHasNothingToDo(@TempDir Path folder) throws IOException {
    ObjectNode quiet = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
    ((ObjectNode) quiet.get("desired")).put("warm_min", 0);
    quiet.set("observed", JSON.createObjectNode());
    assertThat(run("plan", "--file", write(folder, quiet.toString()))).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("nothing to do");
  }

  @ParameterizedTest(name = "{0} = {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/now | `\"today\"` | now is \"today\"; give a moment such as",
        "/pool | `\"Big Pool\"` | pool: pool name is 'Big Pool'; it must match",
        "/desired | `7` | desired is 7; give an object with template_version",
        "/desired/warm_min | `-1` | desired.warm_min is -1; give a whole number, 0 or more",
        "/desired/warm_min | `1.5` | desired.warm_min is 1.5; give a whole number",
        "/desired/warm_min | `9` | desired: warm_min (9) exceeds warm_max (8)",
        "/desired/warm_mim | `9` | desired.warm_mim is not a field; known are template_version",
        "/desired/credentials | `\"no\"` | desired.credentials is \"no\"; give true or false",
        "/desired/budget | `{}` | desired.budget.per_hour is missing; give a number",
        "/desired/after_session | `\"keep\"` | after_session is \"keep\"; give one of recycle",
        "/observed/machines | `{}` | observed.machines is {}; give a list",
        "/observed/machines/2/state/since | `3` | machines[2].state.since is 3; give a",
        "/observed/machines/2/state/standing | `\"hot\"` | standing is \"hot\"; give one",
        "/observed/machines/3/state/session | `null` | machines[3].state.session is missing",
        "/observed/machines/1/id | `\"148ed21a6e4789\"` | machines[1].id is \"148ed21a6e4789\"",
        "/observed/demand/queue_p95 | `\"12\"` | queue_p95 is \"12\"; give a duration",
        "/observed/demand/hinted_per_second | `-2` | observed.demand: hinted rate is -2.0; give",
        "/max_actions | `0` | max_actions: max_actions is 0; at least 1",
      })
  void badInputNamesTheFieldAndExitsTwo(
      String pointer, String value, String complaint, @TempDir Path folder) throws IOException {
    ObjectNode broken = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
    int last = pointer.lastIndexOf('/');
    ObjectNode parent = (ObjectNode) broken.at(pointer.substring(0, last));
    parent.set(pointer.substring(last + 1), JSON.readTree(value));
    assertThat(run("plan", "--file", write(folder, broken.toString()))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\"now\":` | it is not JSON at line 1",
        "`{\"now\":1,\"now\":2}` | Duplicate",
        "`{} {}` | it is not JSON",
        "`[]` | it is []; give an object with now, pool",
        "`` | it is missing",
      })
  void whatIsNoObservationIsRefused(String text, String complaint, @TempDir Path folder)
      throws IOException {
    assertThat(run("plan", "--file", write(folder, text))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(run("plan", "--file", "nowhere.json")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("nowhere.json: there is no such file");
  }

  private static Path write(Path folder, String text) throws IOException {
    return Files.writeString(folder.resolve("observed.json"), text);
  }
}
