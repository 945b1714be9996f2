// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CupbearCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = CupbearCommand.commandLine();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  @Test
  void helpListsEveryCommandWithOneLine() {
    assertThat(run("--help")).isEqualTo(ExitCode.OK);
    for (CommandLine command : CupbearCommand.commandLine().getSubcommands().values()) {
      assertThat(command.getCommandSpec().usageMessage().description())
          .as(command.getCommandName())
          .hasSize(1);
      assertThat(out.toString()).contains("  " + command.getCommandName() + " ");
    }
  }

  @Test
  void versionForProgramsIsJsonWithTheThreeFacts() throws Exception {
    assertThat(run("version", "-o", "json")).isEqualTo(ExitCode.OK);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.fieldNames()).toIterable().containsExactly("version", "commit", "java");
    assertThat(json.get("version").asText()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(json.get("commit").asText()).isNotEmpty().doesNotContain("$");
  }

  @Test
  void versionForPeopleNamesTheSame() {
    assertThat(run("version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("cupbear ", "commit  ", "java    ");
  }

  @ParameterizedTest
  @CsvSource({"'', Missing command", "brew, Unmatched argument", "version -o xml, not a format"})
  void wrongUsageExitsTwoAndSaysWhy(String words, String why) {
    assertThat(run(words.isEmpty() ? new String[0] : words.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why);
  }

  @ParameterizedTest
  @CsvSource({"abc1234, false, abc1234", "abc1234, true, abc1234-dirty", "${git}, '', unknown"})
  void commitIsHonestAboutLocalChanges(String hash, String dirty, String shown) {
    assertThat(BuildInfo.commit(hash, dirty)).isEqualTo(shown);
  }
}
