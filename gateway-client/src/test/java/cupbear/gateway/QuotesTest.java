// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the documentation shows as code is code that is compiled and run here. */
class QuotesTest {
  private static final Path EXAMPLES = Path.of("src/test/java/cupbear/gateway/example");
  private static final Path HOW_TO = Repo.DOCS.resolve("how-to/write-a-gateway.md");
  private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

  private static List<List<String>> quotes(Path page) {
    return JAVA.matcher(Repo.text(page)).results().map(each -> lines(each.group(1))).toList();
  }

  /** Without indentation: a page starts at its own margin. */
  private static List<String> lines(String text) {
    return text.lines().map(String::strip).toList();
  }

  @ParameterizedTest(name = "{0} quotes {1}")
  @CsvSource({
    "docs/how-to/write-a-gateway.md, ExampleGateway.java",
    "gateway-client/README.md, QuickStart.java"
  })
  void everyQuoteIsInTheSource(String page, String source) {
    List<String> code = lines(Repo.text(EXAMPLES.resolve(source)));
    List<List<String>> quotes = quotes(Repo.ROOT.resolve(page));
    assertThat(quotes).hasSizeGreaterThan(1);
    for (List<String> quote : quotes) {
      assertThat(Collections.indexOfSubList(code, quote))
          .as("quoted in %s:%n%s", page, String.join("\n", quote))
          .isNotNegative();
    }
  }

  @Test
  void theHowToShowsTheWholeGateway() {
    List<String> shown = quotes(HOW_TO).stream().flatMap(List::stream).toList();
    Stream<String> code =
        lines(Repo.text(EXAMPLES.resolve("ExampleGateway.java"))).stream()
            .filter(line -> !line.startsWith("import ") && !line.startsWith("package "))
            .filter(line -> !line.startsWith("//"));
    assertThat(code).allSatisfy(line -> assertThat(shown).contains(line));
  }
}
