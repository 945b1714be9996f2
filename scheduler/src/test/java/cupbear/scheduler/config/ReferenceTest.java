// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people read is what the code does. */
class ReferenceTest {
  /** Maven runs tests in the module's folder. */
  private static final Path ROOT = Path.of("..");

  @Test
  void thePageIsTheOneThatTheTableGives() throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/reference/configuration.md")))
        .as("write it anew: ./cupbear config keys > docs/reference/configuration.md")
        .isEqualTo(Reference.page());
  }

  @Test
  void everyKeyIsExplainedInOneLine() {
    for (Key<?> key : Keys.ALL) {
      assertThat(key.doc()).as(key.path()).isNotBlank().doesNotContain("\n");
      assertThat(key.kind().wanted()).as(key.path()).isNotBlank();
    }
  }

  @Test
  void everyKeyHasAVariableOfItsOwn() {
    assertThat(Keys.ALL).extracting(Key::variable).doesNotHaveDuplicates();
    assertThat(Keys.ALL)
        .extracting(Key::variable)
        .doesNotContainAnyElementsOf(Variables.OTHERS.keySet());
  }

  @Test
  void theExampleIsGood() {
    Path example = ROOT.resolve("ops/cupbear.example.yaml");
    assertThat(Configuration.load(example, Map.of())).isInstanceOf(Configuration.Valid.class);
  }

  @Test
  void theExampleOfTheProductIsGood() {
    String yaml =
        """
        environment: prod
        fly:   {app: cupbear-viewer, org: acme, api: "http://_api.internal:4280"}
        redis: {url: "redis://cupbear-redis.internal:6379"}
        listen: {api: "fly-local-6pn:8080", ops: "fly-local-6pn:9090"}
        pools:
          viewers:
            template: {version: "7", image: "…/cupbear-viewer@sha256:…", \
        guest: {cpu_kind: shared, cpus: 2, memory_mb: 2048}, env: {GUACD_BIND: fly-local-6pn}}
            regions:
              iad: {warm_min: 20, warm_max: 28}
              lhr: {warm_min: 12, warm_max: 17}
              nrt: {warm_min: 6, warm_max: 9}
        """;
    assertThat(Sample.problems(yaml, Map.of())).isEmpty();
  }

  @Test
  void nothingThatIsShownReadsBackDifferently() {
    for (Effective each : Sample.good(Sample.GOOD).effective()) {
      Object again =
          each.key()
              .kind()
              .read(new Raw.Text(each.value(), Raw.Style.UNTYPED, new Origin.Default()));
      assertThat(each.key().show(again)).as(each.path()).isEqualTo(each.value());
    }
  }
}
