// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The closed set of problems: schema, pages, table and examples name the same ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProblemPagesTest {
  private static final Path PAGES = Repo.DOCS.resolve("problems");

  private final ApiDocument api = ApiDocument.read();

  List<String> types() {
    JsonArray types =
        api.schemas()
            .getJsonObject("Problem")
            .getJsonObject("properties")
            .getJsonObject("type")
            .getJsonArray("enum");
    return types.stream().map(each -> ((String) each).substring("/problems/".length())).toList();
  }

  /** The problem examples of the API description, by type. */
  private Map<String, JsonObject> examples() {
    Map<String, JsonObject> examples = new TreeMap<>();
    api.walk((where, object) -> {
      if (object.getValue("type") instanceof String type && type.startsWith("/problems/")) {
        examples.put(type.substring("/problems/".length()), object);
      }
    });
    return examples;
  }

  @Test
  void everyTypeHasAPageAndEveryPageAType() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      Set<String> pages =
          files
              .map(file -> file.getFileName().toString().replace(".md", ""))
              .filter(name -> !name.equals("README"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(pages).containsExactlyInAnyOrderElementsOf(types());
    }
  }

  @Test
  void everyTypeHasAnExampleInTheDescription() {
    assertThat(examples().keySet()).containsExactlyInAnyOrderElementsOf(types());
  }

  @ParameterizedTest
  @MethodSource("types")
  void pageShowsTheSameExample(String type) {
    String page = Repo.text(PAGES.resolve(type + ".md"));
    JsonObject example = Objects.requireNonNull(examples().get(type));
    String shown = page.substring(page.indexOf("\n{"), page.lastIndexOf("```"));
    assertThat(new JsonObject(shown)).isEqualTo(example);
    assertThat(page)
        .startsWith("# " + example.getString("title") + "\n")
        .contains("HTTP/1.1 " + example.getInteger("status") + " ")
        .contains("## When", "## What to do", "## Does a repeat help?");
    assertThat(page.contains("Retry-After: "))
        .isEqualTo(example.containsKey("retry_after_seconds"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void tableHasItsRow(String type) {
    JsonObject example = Objects.requireNonNull(examples().get(type));
    assertThat(Repo.text(PAGES.resolve("README.md")))
        .contains(
            "| [%s](%s.md) | %d | %s |"
                .formatted(type, type, example.getInteger("status"), example.getString("title")));
  }
}
