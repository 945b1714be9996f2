// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** At three in the morning every command on a page works as it is written. */
class CommandsInPagesTest {
  /** What an operator's machine has beside fly and cupbear. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "fly",
          "./cupbear",
          "base64",
          "cat",
          "cp",
          "curl",
          "echo",
          "export",
          "git",
          "jq",
          "mvn",
          "printf",
          "promtool",
          "read",
          "redis-cli",
          "sort",
          "tr",
          "uniq",
          "unset",
          "wc");

  /** What stands for a value on a page, and a value that could stand there. */
  private static final Map<String, String> VALUES =
      Map.of(
          "$MACHINE", "3d8d413b29d089",
          "$REGION", "iad",
          "$POOL", "viewers",
          "$SESSION", "ses_01J8Z3N6Q4W7V5T2R9K1M0P8XA");

  private static final Flyctl FLYCTL = Flyctl.read();

  static Stream<Path> pages() {
    return Stream.concat(
        Pages.in(Pages.RUNBOOKS, ".md").stream(),
        Stream.of("docs/how-to/deploy-on-fly.md", "docs/how-to/size-a-pool.md")
            .map(Pages.ROOT::resolve));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyFlyCommandExistsWithItsFlags(Path page) {
    List<String> problems = new ArrayList<>();
    for (List<String> words : commands(page)) {
      if (!words.getFirst().equals("fly")) continue;
      FLYCTL
          .problem(words.subList(1, words.size()))
          .ifPresent(why -> problems.add(String.join(" ", words) + ": " + why));
    }
    assertThat(problems).as(Pages.name(page)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCupbearCommandExistsWithItsOptions(Path page) {
    List<String> problems = new ArrayList<>();
    for (List<String> words : cupbear(page)) {
      problem(words).ifPresent(why -> problems.add(String.join(" ", words) + ": " + why));
    }
    assertThat(problems).as(Pages.name(page)).isEmpty();
  }

  @Test
  void theOperatorCommandsAreAmongThem() {
    assertThat(pages().flatMap(page -> cupbear(page).stream()).map(List::getFirst))
        .contains("status", "plan", "machines", "sessions", "events", "wait", "drain", "cordon");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyProgramIsOneThatAnOperatorHas(Path page) {
    assertThat(commands(page))
        .as(Pages.name(page))
        .allSatisfy(words -> assertThat(PROGRAMS).contains(words.getFirst()));
  }

  @Test
  void thereIsSomethingToCheck() {
    assertThat(pages().flatMap(page -> commands(page).stream()).toList()).hasSizeGreaterThan(100);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "machine list -a app -r iad, no flag -r",
    "machine stop id -a app --restart no, no flag --restart",
    "machine stop -a app, takes 1 to 9 arguments",
    "machine stop id -a, -a needs a value",
    "machine events id, no such command",
    "ips list -a app extra, takes 0 to 0 arguments"
  })
  void whatFlyDoesNotHaveIsFound(String command, String why) {
    assertThat(FLYCTL.problem(List.of(command.split(" ")))).get().asString().contains(why);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "config check ops/cupbear.yaml --strict, --strict",
    "version now, now",
    "config chekc ops/cupbear.yaml, chekc",
    "size --boot 60s, --arrivals"
  })
  void whatCupbearDoesNotHaveIsFound(String command, String why) {
    assertThat(problem(List.of(command.split(" ")))).get().asString().contains(why);
  }

  @Test
  void theShellOfAPageIsReadAsAShellWould() {
    String block =
        """
        # a comment with fly in it
        A=1 fly machine list -a app --json | jq -r '.[] | select(.x == "y")'  # and one here
        fly machine exec id "sh -c 'ss -ltn'" \\
          -a app > out.txt && ./cupbear version
        NAME=$(fly apps list -q)
        """;
    assertThat(Shell.commands(block))
        .containsExactly(
            List.of("fly", "machine", "list", "-a", "app", "--json"),
            List.of("jq", "-r", ".[] | select(.x == \"y\")"),
            List.of("fly", "machine", "exec", "id", "sh -c 'ss -ltn'", "-a", "app"),
            List.of("./cupbear", "version"),
            List.of("fly", "apps", "list", "-q"));
  }

  private static List<List<String>> commands(Path page) {
    return Pages.shell(Pages.text(page)).stream()
        .flatMap(block -> Shell.commands(block).stream())
        .toList();
  }

  /** The words after {@code ./cupbear} on a page. */
  private static List<List<String>> cupbear(Path page) {
    return commands(page).stream()
        .filter(words -> words.getFirst().equals("./cupbear"))
        .map(words -> words.subList(1, words.size()))
        .toList();
  }

  /** What the real command line says to these words. */
  private static Optional<String> problem(List<String> words) {
    String[] real =
        words.stream()
            .map(word -> VALUES.getOrDefault(word, word).replace("$REGION", "iad"))
            .toArray(String[]::new);
    try {
      Main.commandLine().parseArgs(real);
      return Optional.empty();
    } catch (CommandLine.ParameterException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
