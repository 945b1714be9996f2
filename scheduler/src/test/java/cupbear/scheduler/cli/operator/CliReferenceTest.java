// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.cli.CupbearCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** docs/reference/cli.md says what the commands take, no more and no less. */
class CliReferenceTest {
  /** Maven runs tests in the module's folder. */
  private static final Path PAGE = Path.of("..", "docs", "reference", "cli.md");

  private static final String HEAD =
      """
      # Commands of operators

      <!-- Written from the code: run CliReferenceTest with -Dcli.reference=write. -->

      They talk to running schedulers over the [HTTP API](../openapi.yaml); \
      [how to use them](../how-to/operate.md). `cupbear --help` lists the other commands.

      | exit code | means |
      |---|---|
      | 0 | done |
      | 1 | failed: refused by the scheduler, or not agreed to |
      | 2 | wrong usage |
      | 3 | not in time (`wait`) |
      | 4 | not authorised: no token, a wrong one, or one whose role may not do that |
      | 5 | no scheduler can be reached |

      Data goes to stdout, talk to stderr. A refusal is one line with the wrong \
      fields, the problem's type and the trace id, and a second line that says what to do next.

      ## Options that all of them take

      """;

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    if ("write".equals(System.getProperty("cli.reference"))) Files.writeString(PAGE, page());
    assertThat(Files.readString(PAGE)).isEqualTo(page());
  }

  private static String page() {
    List<CommandSpec> commands = new ArrayList<>();
    collect(CupbearCommand.commandLine(), commands);
    Set<String> common = new TreeSet<>(names(commands.getFirst()));
    commands.forEach(each -> common.retainAll(names(each)));
    StringBuilder page = new StringBuilder(HEAD);
    options(page, commands.getFirst(), common, true);
    for (CommandSpec each : commands) {
      page.append("\n## ").append(each.qualifiedName()).append("\n\n");
      page.append(each.usageMessage().description()[0]).append('\n');
      options(page.append('\n'), each, common, false);
    }
    return page.toString().replaceAll("\n{3,}", "\n\n").stripTrailing() + "\n";
  }

  /** Those that have the options of the API. */
  private static void collect(CommandLine line, List<CommandSpec> found) {
    CommandSpec spec = line.getCommandSpec();
    if (spec.findOption("--api") != null) found.add(spec);
    line.getSubcommands().values().forEach(each -> collect(each, found));
  }

  private static List<String> names(CommandSpec spec) {
    return spec.options().stream().map(OptionSpec::longestName).toList();
  }

  private static void options(
      StringBuilder page, CommandSpec spec, Set<String> common, boolean wantCommon) {
    List<String> rows = new ArrayList<>();
    if (!wantCommon) {
      for (PositionalParamSpec each : spec.positionalParameters()) {
        String label = each.paramLabel();
        rows.add(row(each.arity().min() == 0 ? "[" + label + "]" : label, each.description()[0]));
      }
    }
    spec.options().stream()
        .filter(each -> common.contains(each.longestName()) == wantCommon)
        .sorted(Comparator.comparing(OptionSpec::longestName))
        .forEach(each ->
            rows.add(
                row(
                    String.join(", ", each.names())
                        + (each.arity().max() == 0 ? "" : " " + each.paramLabel())
                        + (each.required() ? " (required)" : ""),
                    each.description()[0].replace(
                        "${DEFAULT-VALUE}", String.valueOf(each.defaultValue())))));
    if (rows.isEmpty()) return;
    page.append("| | |\n|---|---|\n");
    rows.forEach(page::append);
  }

  private static String row(String what, String description) {
    return "| `%s` | %s |\n".formatted(what.replace("|", "\\|"), description.replace("|", "\\|"));
  }
}
