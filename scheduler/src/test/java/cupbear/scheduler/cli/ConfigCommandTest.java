// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.config.Reference;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Secret;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
  /** Maven runs tests in the module's folder. */
  private static final Path EXAMPLE = Path.of("..", "ops", "cupbear.example.yaml");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Map<String, String> environment = Map.of();

  private int run(Object... args) {
    CommandLine line = CupbearCommand.commandLine();
    Objects.requireNonNull(line.getSubcommands().get("config")).getSubcommands().values().stream()
        .map(each -> each.getCommandSpec().userObject())
        .filter(ConfigCommand.OnFile.class::isInstance)
        .forEach(each -> ((ConfigCommand.OnFile) each).environment = environment);
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) words[i] = args[i].toString();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
  }

  private static Path broken(Path folder) throws IOException {
    String yaml = Files.readString(EXAMPLE).replace("warm_min: 20", "warm_min: 99, warm_mox: 1");
    return Files.writeString(folder.resolve("cupbear.yaml"), yaml);
  }

  @Test
  void aGoodFileIsGood() {
    assertThat(run("config", "check", EXAMPLE)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("is good: prod, 1 pool, 3 regional pools");
  }

  @Test
  void aBrokenFileFailsWithEveryProblem(@TempDir Path folder) throws IOException {
    Path file = broken(folder);
    assertThat(run("config", "check", file)).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString().lines())
        .containsExactly(
            file
                + ":31:23: pools.viewers.regions.iad.warm_min is 99; give no more than warm_max"
                + " (28)",
            file
                + ":31:27: pools.viewers.regions.iad.warm_mox is not a key; did you mean "
                + "pools.viewers.regions.iad.warm_max?");
    assertThat(err.toString()).contains("2 problems");
  }

  @Test
  void programsGetTheSameProblems(@TempDir Path folder) throws IOException {
    assertThat(run("config", "check", broken(folder), "-o", "json")).isEqualTo(ExitCode.FAILED);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("valid").asBoolean()).isFalse();
    JsonNode first = json.get("problems").get(0);
    assertThat(first.get("line").asInt()).isEqualTo(31);
    assertThat(first.get("column").asInt()).isEqualTo(23);
    assertThat(first.get("key").asText()).isEqualTo("pools.viewers.regions.iad.warm_min");
    assertThat(first.get("value").asText()).isEqualTo("99");
    assertThat(json.get("problems").get(1).get("nearest").asText()).endsWith(".warm_max");
  }

  @Test
  void programsHearThatAGoodFileIsGood() throws IOException {
    assertThat(run("config", "check", EXAMPLE, "-o", "json")).isEqualTo(ExitCode.OK);
    assertThat(new ObjectMapper().readTree(out.toString()).get("valid").asBoolean()).isTrue();
  }

  @Test
  void showSaysWhatHoldsAndWhereItComesFrom() {
    environment =
        Map.of(
            "CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN", "5",
            "CUPBEAR_FLY_TOKEN", "canary-1f0e3d");
    assertThat(run("config", "show", EXAMPLE)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("reconcile\\.every +5s +default")
        .containsPattern("fly\\.app +cupbear-viewer +\\S+cupbear\\.example\\.yaml:6:8")
        .containsPattern("regions\\.iad\\.warm_min +5 +CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN")
        .containsPattern("CUPBEAR_FLY_TOKEN +\\*\\*\\* +environment")
        .containsPattern("CUPBEAR_SECRET_KEY +- +not set")
        .doesNotContain("canary");
  }

  @Test
  void showForProgramsIsJson() throws IOException {
    environment = Map.of("CUPBEAR_REDIS_PASSWORD", "canary-1f0e3d");
    assertThat(run("config", "show", EXAMPLE, "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode values = new ObjectMapper().readTree(out.toString()).get("values");
    assertThat(values.findValuesAsText("key")).contains("durability", "CUPBEAR_REDIS_PASSWORD");
    assertThat(out.toString()).doesNotContain("canary");
  }

  @Test
  void showOfABrokenFileShowsWhatIsBroken(@TempDir Path folder) throws IOException {
    assertThat(run("config", "show", broken(folder))).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("warm_mox is not a key").doesNotContain("default");
  }

  @Test
  void aNewSecretKeyIsOneThatWeTake() {
    assertThat(run("config", "secret-key")).isEqualTo(ExitCode.OK);
    assertThat(KeyRing.of(Secret.of(out.toString().strip())).currentId()).hasSize(8);
  }

  @Test
  void keysPrintsTheReferencePage() {
    assertThat(run("config", "keys")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(Reference.page());
  }

  @Test
  void withoutAFileOrACommandItSaysWhatIsMissing() {
    assertThat(run("config")).isEqualTo(ExitCode.USAGE);
    assertThat(run("config", "check")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("config check cupbear.yaml", "FILE");
  }
}
