// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same seed tells the same story: twice in a process, and in another one. */
class DeterminismSimTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 42})
  void theSameSeedTellsTheSameStory(long seed) {
    assertThat(story(seed)).isEqualTo(story(seed)).hasSizeGreaterThan(1000);
  }

  @Test
  void anotherSeedTellsAnotherStory() {
    assertThat(story(1).getLast()).isNotEqualTo(story(2).getLast());
  }

  /**
   * Immutable sets and maps are iterated in another order by each process: nothing may hang on it.
   */
  @Test
  void anotherProcessTellsTheSameStory() throws IOException, InterruptedException {
    SimSettings settings = Seeds.wild(7);
    String here = story(7).getLast();

    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(settings.replay().split(" ")).subList(1, 12));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String there = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(there.lines()).contains(here);
  }

  private static List<String> story(long seed) {
    List<String> lines = new ArrayList<>();
    Simulation.replay(Seeds.wild(seed), lines::add);
    return lines;
  }
}
