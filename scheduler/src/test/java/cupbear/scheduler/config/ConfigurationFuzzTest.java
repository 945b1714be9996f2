// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is written, the answer is settings or problems with a place: never an exception. */
class ConfigurationFuzzTest {
  private static final int ROUNDS = 30;

  private static final List<String> BITS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ":",
          ": ",
          ",",
          "\n",
          "\n  ",
          "\t",
          "- ",
          "? ",
          "&a ",
          "*a",
          "!!int ",
          "|\n",
          ">\n",
          "'",
          "\"",
          "#",
          "---\n",
          "...\n",
          "%YAML 1.2\n",
          "~",
          "null",
          "true",
          "5s",
          "-1",
          "1e9",
          "0x1f",
          ".inf",
          "99999999999999999999",
          "\u0000",
          "\uFFFE",
          "é",
          "😀",
          "\\",
          "<pool>",
          "<n>",
          "pools:",
          "viewers",
          "<<: *a",
          "\u2028",
          "warm_min",
          "teardown: ",
          "@");

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void answersWithSettingsOrProblems(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      String yaml = broken(Sample.inPool("teardown: [{name: a, run: [b]}]"), random);
      Map<String, String> environment = environment(random);
      Configuration first = Sample.read(yaml, environment);
      assertThat(Sample.read(yaml, environment)).as("same input, same answer").isEqualTo(first);
      if (first instanceof Configuration.Invalid invalid) assertPlaced(invalid, yaml);
    }
  }

  private static void assertPlaced(Configuration.Invalid invalid, String yaml) {
    assertThat(invalid.problems()).isNotEmpty();
    for (Problem each : invalid.problems()) {
      assertThat(each.sentence()).isNotBlank().doesNotContain("\n");
      if (each.at() instanceof Origin.InFile at) {
        assertThat(at.line()).isBetween(1, yaml.length() + 1);
        assertThat(at.column()).isPositive();
      } else {
        assertThat(each.at()).isInstanceOf(Origin.InEnvironment.class);
      }
    }
  }

  private static String broken(String yaml, Random random) {
    StringBuilder text = new StringBuilder(yaml);
    int wounds = 1 + random.nextInt(4);
    for (int i = 0; i < wounds; i++) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, BITS.get(random.nextInt(BITS.size())));
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(12)));
        case 2 -> text.insert(at, (char) random.nextInt(0x250));
        default -> {
          int from = random.nextInt(text.length() + 1);
          text.insert(at, text.substring(from, Math.min(text.length(), from + 20)));
        }
      }
    }
    return text.toString();
  }

  private static Map<String, String> environment(Random random) {
    Map<String, String> environment = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Key<?> key = Keys.ALL.get(random.nextInt(Keys.ALL.size()));
      String name =
          key.variable()
              .replace("<pool>", random.nextBoolean() ? "VIEWERS" : "A_B")
              .replace("<region>", random.nextBoolean() ? "IAD" : "XXXX")
              .replace("<n>", Integer.toString(random.nextInt(12)))
              .replace("<label>", "GPU_X")
              .replace("<NAME>", "Some_Name");
      environment.put(name, BITS.get(random.nextInt(BITS.size())));
    }
    if (random.nextInt(5) == 0) environment.put("CUPBEAR_" + random.nextInt(), "x");
    return environment;
  }
}
