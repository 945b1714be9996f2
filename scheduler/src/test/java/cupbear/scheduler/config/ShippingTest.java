// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shipped fits together: fly.toml, the image and the configuration's defaults. */
class ShippingTest {
  /** Maven runs tests in the module's folder. */
  private static final Path ROOT = Path.of("..");

  private static final Pattern LINE = Pattern.compile("^\\s*(\\w+)\\s*=\\s*\"?([^\"#]*)\"?\\s*$");

  @ParameterizedTest
  @ValueSource(strings = {"ops/fly.toml", "ops/redis.fly.toml"})
  void nothingIsOfferedToTheOutside(String file) throws IOException {
    assertThat(tables(file))
        .as("tables of %s", file)
        .isNotEmpty()
        .noneMatch(table -> table.matches("services.*|http_service.*|statics|metrics|checks.*"));
  }

  @Test
  void flyWaitsLongerThanAReplicaNeedsToFinish() throws IOException {
    assertThat(values("ops/fly.toml", "kill_signal")).containsExactly("SIGTERM");
    int waits = Integer.parseInt(values("ops/fly.toml", "kill_timeout").getFirst());
    Duration finishes = Amounts.duration(inForce("shutdown.finish_within")).orElseThrow();
    assertThat(Duration.ofSeconds(waits)).isGreaterThan(finishes);
  }

  @Test
  void theImageReadsTheFileThatFlyPutsThere() throws IOException {
    String pom = Files.readString(ROOT.resolve("scheduler/pom.xml"));
    Matcher args =
        Pattern.compile("<arg>serve</arg>\\s*<arg>-c</arg>\\s*<arg>([^<]+)</arg>").matcher(pom);
    assertThat(args.find()).as("arguments of the image").isTrue();
    assertThat(values("ops/fly.toml", "guest_path")).contains(args.group(1));
  }

  @Test
  void theTokensLieWhereTheConfigurationLooksForThem() throws IOException {
    Path config = Path.of(values("ops/fly.toml", "guest_path").getFirst());
    assertThat(values("ops/fly.toml", "guest_path"))
        .contains(config.resolveSibling(inForce("security.token_file")).toString());
  }

  @Test
  void noSecretOfFlyTomlIsTakenForConfiguration() throws IOException {
    assertThat(values("ops/fly.toml", "secret_name"))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("CUPBEAR_"));
  }

  /** A value of the example configuration, or its default. */
  private static String inForce(String path) {
    Path example = ROOT.resolve("ops/cupbear.example.yaml");
    return ((Configuration.Valid) Configuration.load(example, Map.of()))
        .effective().stream()
            .filter(each -> each.path().equals(path))
            .findFirst()
            .orElseThrow()
            .value();
  }

  private static List<String> tables(String file) throws IOException {
    return Files.readAllLines(ROOT.resolve(file)).stream()
        .filter(line -> line.startsWith("["))
        .map(line -> line.replaceAll("[\\[\\]\\s]", ""))
        .toList();
  }

  private static List<String> values(String file, String key) throws IOException {
    List<String> values = new ArrayList<>();
    for (String line : Files.readAllLines(ROOT.resolve(file))) {
      Matcher parts = LINE.matcher(line);
      if (parts.matches() && parts.group(1).equals(key)) values.add(parts.group(2).strip());
    }
    return values;
  }
}
