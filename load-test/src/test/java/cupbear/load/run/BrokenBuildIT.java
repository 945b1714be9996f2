// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.report.LoadReport;
import cupbear.load.stack.StackPlan;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checker that has never found anything proves nothing. Here it meets schedulers whose claim is
 * not one step: a Machine that was given out stays on the shelf, as if somebody else would take it
 * down later.
 */
class BrokenBuildIT {
  private static final String PRELUDE = "/lua/prelude.lua";

  /** The line that makes giving and taking off the shelf one step, and what comes after it. */
  private static final String ATOMIC = "  off_shelf(m)\n  become(m, 'assigned',";

  private static final String TORN = "  become(m, 'assigned',";

  @Test
  void claimsThatAreNotOneStepAreFoundOut(@TempDir Path overlay) throws Exception {
    Path script = overlay.resolve(PRELUDE.substring(1));
    Files.createDirectories(script.getParent());
    Files.writeString(script, broken());
    StackPlan plan = OwnStack.plan(5, StackPlan.Store.STANDALONE).withOverlay(overlay);
    LoadRun.Wish wish = new LoadRun.Wish(5, Duration.ofSeconds(5), Duration.ofSeconds(2), 1);
    try (OwnStack own = OwnStack.start(plan)) {
      Scenario burst = Scenarios.named("burst").orElseThrow();
      LoadReport.Scenario seen = new LoadRun(wish, own.target(), Silent.HERE).play(burst);

      assertThat(seen.passed()).isFalse();
      assertThat(brokenOf(seen, Ledger.Rule.ONE_SESSION_PER_MACHINE))
          .as("two sessions on one Machine")
          .isNotEmpty();
    }
  }

  private static List<String> brokenOf(LoadReport.Scenario seen, Ledger.Rule rule) {
    return seen.promises().stream()
        .filter(each -> each.name().equals(rule.text))
        .flatMap(each -> each.broken().stream())
        .toList();
  }

  private static String broken() throws Exception {
    try (InputStream in = BrokenBuildIT.class.getResourceAsStream(PRELUDE)) {
      assertThat(in).as("the scripts of the scheduler").isNotNull();
      String whole = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(whole).as("what is to be broken").containsOnlyOnce(ATOMIC);
      return whole.replace(ATOMIC, TORN);
    }
  }
}
