// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the README says was measured is what the committed report says. */
class ResultsInReadmeTest {
  private static final Path RESULTS = Path.of("..", "docs", "results");

  @Test
  void tableIsThatOfTheReport() throws Exception {
    String table = Files.readString(RESULTS.resolve("results.md"));
    String json = Files.readString(RESULTS.resolve("report.json"));
    assertThat(Files.readString(Path.of("..", "README.md"))).contains(table);
    assertThat(json).contains("\"passed\" : true");
    assertThat(Files.size(RESULTS.resolve("index.html"))).isLessThan(500_000);
  }
}
