// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.config.CurrentSettings.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may change under a running scheduler. */
class ReloadTest {
  @ParameterizedTest(name = "{1}: {3} {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "9 | `      iad: {warm_min: 3, warm_max: 4}` | 2 to 3 | live | "
            + "pools.viewers.regions.iad.warm_min: 2 → 3",
        "7 | `    template: {version: \"8\", image: viewer2}` | roll | live | "
            + "pools.viewers.template.version: 7 → 8",
        "10 | `      lhr: {warm_min: 1, warm_max: 2, parked_max: 1}` | set | live | "
            + "pools.viewers.regions.lhr.parked_max: - → 1",
        "4 | `listen: {api: \"127.0.0.1:8081\", ops: \"127.0.0.1:9090\"}` | moved | restart | "
            + "listen.api: 127.0.0.1:8080 → 127.0.0.1:8081",
        "3 | `redis: {url: \"redis://other:6379\"}` | moved | restart | "
            + "redis.url: redis://localhost:6379 → redis://other:6379",
        "10 | `      ams: {warm_min: 1, warm_max: 2}` | region | restart | "
            + "pools.viewers.regions.lhr.warm_min: 1 → -",
        "6 | `  others:` | pool | restart | pools.viewers.template.image: viewer → -",
        "7 | `    template: {version: \"7\", image: viewer2}` | same version | refused | "
            + "pools.viewers.template.version is 7; the template changed; "
            + "give it a new version, which rolls the pool",
      })
  void eachChangeIsSorted(int line, String text, String name, String kind, String change) {
    Reload reload = Reload.compare(Sample.good(Sample.GOOD), Sample.good(Sample.with(line, text)));
    List<String> found =
        switch (kind) {
          case "live" -> reload.live().stream().map(Object::toString).toList();
          case "restart" -> reload.restart().stream().map(Object::toString).toList();
          default -> reload.refused().stream().map(Problem::sentence).toList();
        };
    assertThat(found).as(name).contains(change);
    assertThat(reload.isLive()).isEqualTo(kind.equals("live"));
  }

  @Test
  void stepsLabelsAndThresholdsComeAndGoLive() {
    String more =
        Sample.inPool(
            """
            teardown: [{name: a, run: [b]}]
            labels: {gpu: "true"}
            sessions: {lease: 2m}
            """);
    Reload there = Reload.compare(Sample.good(Sample.GOOD), Sample.good(more));
    assertThat(there.isLive()).isTrue();
    assertThat(there.live()).hasSize(5);
    assertThat(Reload.compare(Sample.good(more), Sample.good(Sample.GOOD)).isLive()).isTrue();
  }

  @Test
  void nothingIsNothing() {
    String commented = "# a comment\n" + Sample.GOOD;
    assertThat(Reload.compare(Sample.good(Sample.GOOD), Sample.good(commented)).isNothing())
        .isTrue();
  }

  /** What the file says now. */
  private String file = Sample.GOOD;

  private final CurrentSettings current =
      new CurrentSettings(Sample.good(Sample.GOOD), () -> Sample.read(file, Map.of()));

  @Test
  void goodNewsIsTakenOverWholeAndTold() {
    List<String> heard = new ArrayList<>();
    current.onChange((before, after) -> {
      assertThat(current.get()).as("it already holds").isSameAs(after);
      heard.add(before.equals(after) ? "same" : "changed");
    });
    file = Sample.with(9, "      iad: {warm_min: 3, warm_max: 5}");
    assertThat(current.reload())
        .isInstanceOfSatisfying(
            Outcome.Swapped.class, swapped -> assertThat(swapped.changes()).hasSize(2));
    assertThat(current.reload()).isInstanceOf(Outcome.Unchanged.class);
    assertThat(heard).containsExactly("changed");
  }

  @Test
  void aBrokenFileChangesNothing() {
    Settings before = current.get();
    file =
        Sample.with(9, "      iad: {warm_min: 3, warm_max: 5}")
            .replace("warm_max: 2", "warm_max: x");
    assertThat(current.reload())
        .isInstanceOfSatisfying(
            Outcome.Refused.class, refused -> assertThat(refused.problems()).hasSize(1));
    assertThat(current.get()).isSameAs(before);
  }

  @Test
  void oneChangeThatNeedsARestartHoldsBackAll() {
    Settings before = current.get();
    file =
        Sample.with(9, "      iad: {warm_min: 3, warm_max: 5}").replace("org: acme", "org: other");
    assertThat(current.reload())
        .isInstanceOfSatisfying(
            Outcome.NeedsRestart.class,
            needs ->
                assertThat(needs.changes())
                    .extracting(Reload.Change::path)
                    .containsExactly("fly.org"));
    assertThat(current.get()).isSameAs(before);
  }

  @Test
  void theSameTemplateVersionForAnotherImageIsRefused() {
    file = Sample.with(7, "    template: {version: \"7\", image: other}");
    assertThat(current.reload()).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void theOrderOfRegionsCounts() {
    file =
        Sample.with(9, "      lhr: {warm_min: 1, warm_max: 2}")
            .replaceFirst("(?s)(.*)lhr: .*?}", "$1iad: {warm_min: 2, warm_max: 4}");
    assertThat(current.reload()).isInstanceOf(Outcome.Swapped.class);
    assertThat(current.get().pools().values().iterator().next().placement().regions())
        .extracting(Object::toString)
        .containsExactly("lhr", "iad");
  }
}
