// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about failures names tests that are there, and all of the end-to-end ones. */
class FailuresPageTest {
  private static final Path PAGE = Pages.ROOT.resolve("docs/reference/failures.md");
  private static final Pattern NAMED = Pattern.compile("`(\\w+IT)\\.(\\w+)`");
  private static final Pattern TEST =
      Pattern.compile("@(?:Parameterized)?Test\\b[^{;]*?void (\\w+)\\(", Pattern.DOTALL);

  /** Looking is no failure: what commands print and what alerts say is told elsewhere. */
  private static final List<String> NOT_ABOUT_FAILURES =
      List.of(
          "OperatorIT.everyRegionIsShownWithItsPlanWhoeverLeadsIt",
          "OperatorIT.aMachinesWholeStoryIsTold",
          "OperatorIT.exitCodesSayWhatIsTheMatter",
          "WatchedIT.everyRuleSpeaksAShortageFiresAndResolvesAndNoSecretIsTold");

  @Test
  void everyTestThatIsNamedExists() {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    Matcher named = NAMED.matcher(Pages.text(PAGE));
    while (named.find()) {
      String source = sources.getOrDefault(named.group(1), "");
      if (!source.contains("void " + named.group(2) + "(")) missing.add(named.group());
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyEndToEndTestIsNamed() {
    String page = Pages.text(PAGE);
    TreeSet<String> unnamed = new TreeSet<>();
    sources()
        .forEach((name, source) -> {
          if (!source.contains("package cupbear.load.e2e;")) return;
          Matcher test = TEST.matcher(source);
          while (test.find()) {
            String each = name + "." + test.group(1);
            if (!page.contains("`" + each + "`")) unnamed.add(each);
          }
        });
    assertThat(unnamed).containsExactlyInAnyOrderElementsOf(NOT_ABOUT_FAILURES);
  }

  /** By the name of their class. */
  private static Map<String, String> sources() {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("load-test", "scheduler")) {
      try (Stream<Path> all = Files.walk(Pages.ROOT.resolve(module).resolve("src/test/java"))) {
        all.filter(each -> each.toString().endsWith("IT.java"))
            .forEach(each ->
                sources.put(each.getFileName().toString().replace(".java", ""), Pages.text(each)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sources;
  }
}
