// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words by which pages for operators name things are those that the scheduler says. */
class WordsInPagesTest {
  private static final Pattern FINDING = Pattern.compile("`! (?!finding`)([a-z ]+)`");
  private static final Pattern OUTCOME = Pattern.compile("\\boutcome `([a-z_]+)`");
  private static final Pattern EVENT =
      Pattern.compile("`((?:machine|session|leader|operator|store)\\.[a-z-]+)`");
  private static final Pattern KEY =
      Pattern.compile(
          "`((?:fly|redis|listen|security|limits|leadership|recovery|shutdown|reconcile|health"
              + "|demand|recycle|sessions|template|ports|probe|teardown|placement|budget)"
              + "\\.(?!toml|conf)[a-z_.]+)`");

  @Test
  void everyFindingExists() {
    Set<String> known =
        Stream.of(Finding.Kind.values())
            .map(kind -> kind.word().replace('_', ' '))
            .collect(Collectors.toSet());
    assertThat(unknown(FINDING, known::contains)).isEmpty();
  }

  @Test
  void everyOutcomeExists() {
    String reference = Pages.text(Pages.ROOT.resolve("docs/reference/metrics.md"));
    String labels = reference.substring(reference.indexOf("## Label values"));
    assertThat(unknown(OUTCOME, word -> labels.contains("`" + word + "`"))).isEmpty();
  }

  @Test
  void everyEventExists() {
    assertThat(unknown(EVENT, word -> EntryKind.of(word).isPresent())).isEmpty();
  }

  @Test
  void everyKeyOfTheConfigurationExists() {
    String reference = Pages.text(Pages.ROOT.resolve("docs/reference/configuration.md"));
    Set<String> known = new TreeSet<>();
    Matcher key = Pattern.compile("^\\| `([^`]+)`", Pattern.MULTILINE).matcher(reference);
    while (key.find()) known.add(key.group(1).replace("pools.<pool>.", ""));
    assertThat(unknown(KEY, word -> known.stream().anyMatch(each -> isOrHolds(each, word))))
        .isEmpty();
  }

  /** The storm's table goes by reasons; none may be missing that destroys Machines by itself. */
  @Test
  void theRunbookOfAStormKnowsEveryReasonToReplace() {
    String page = Pages.text(Pages.RUNBOOKS.resolve("cupbear-replacement-storm.md"));
    assertThat(
            Stream.of(
                Reason.BOOT_DEADLINE,
                Reason.LAUNCH_FAILED,
                Reason.STRUCK_OUT,
                Reason.EXITED,
                Reason.GONE,
                Reason.STOPPED_BY_OTHERS,
                Reason.HOST_DOUBTFUL,
                Reason.TEARDOWN_FAILED,
                Reason.DRAIN_STUCK))
        .allSatisfy(reason -> assertThat(page).contains("`" + reason.word() + "`"));
  }

  private static boolean isOrHolds(String key, String word) {
    return key.equals(word) || key.startsWith(word + ".");
  }

  private static List<String> unknown(Pattern pattern, Predicate<String> isKnown) {
    List<Path> pages = new ArrayList<>(Pages.in(Pages.RUNBOOKS, ".md"));
    pages.addAll(Pages.in(Pages.ROOT.resolve("docs/how-to"), ".md"));
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (Path page : pages) {
      Matcher word = pattern.matcher(Pages.text(page));
      while (word.find()) {
        seen++;
        if (!isKnown.test(word.group(1))) unknown.add(Pages.name(page) + ": " + word.group(1));
      }
    }
    assertThat(seen).as("words like %s", pattern).isPositive();
    return unknown;
  }
}
