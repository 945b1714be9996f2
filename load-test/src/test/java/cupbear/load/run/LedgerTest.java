// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.viewer.Answered;
import cupbear.gateway.Grant;
import cupbear.load.report.LoadReport.Promise;
import cupbear.load.run.Ledger.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The ledger says nothing about a good day, and finds every kind of bad one. */
class LedgerTest {
  private static final Optional<Answered> PROVEN = Optional.of(new Answered(2, 1));

  private final Ledger ledger = new Ledger();

  /** The end of a lease that runs on. */
  private static Instant later() {
    return Instant.now().plus(Duration.ofHours(1));
  }

  private static Grant grant(String session, String machine, long epoch) {
    return new Grant(
        session,
        "viewers",
        "iad",
        new Grant.Machine(machine, "127.0.0.1", machine, 4822, 3389),
        null,
        epoch,
        Duration.ZERO,
        new Grant.Lease(later(), Duration.ofSeconds(20)),
        Duration.ofSeconds(30),
        "receipt");
  }

  private Grant granted(String session, String machine, long epoch) {
    Grant grant = grant(session, machine, epoch);
    ledger.granted(grant, true, LedgerTest::later, PROVEN);
    return grant;
  }

  private List<String> broken(Rule rule) {
    return ledger.promises().stream()
        .filter(each -> each.name().equals(rule.text))
        .findFirst()
        .orElseThrow()
        .broken();
  }

  private void assertOnly(Rule rule, String what) {
    assertThat(broken(rule)).singleElement().asString().contains(what);
    assertThat(ledger.promises().stream().filter(each -> !each.kept())).hasSize(1);
  }

  @Test
  @DisplayName("one user after the other on one Machine: all promises are kept, each was asked for")
  void goodDay() {
    for (int i = 0; i < 3; i++) {
      ledger.asked(i);
      ledger.answered(i, null);
      Grant grant = granted("s" + i, "m", i);
      ledger.serves(grant);
      ledger.left(grant);
    }
    ledger.closed();
    assertThat(ledger.promises()).allMatch(Promise::kept).allMatch(each -> each.checks() == 3);
  }

  @Test
  @DisplayName("a Machine that somebody looks at is given to another")
  void twoOnOne() {
    granted("s1", "m", 1);
    granted("s2", "m", 2);
    assertOnly(Rule.ONE_SESSION_PER_MACHINE, "m is held by s1 and was given to s2");
  }

  @Test
  @DisplayName("fine: its lease was over as far as its gateway knew")
  void leaseOver() {
    ledger.granted(grant("s1", "m", 1), true, () -> Instant.EPOCH, PROVEN);
    granted("s2", "m", 2);
    assertThat(ledger.brokenSoFar()).isZero();
  }

  @Test
  @DisplayName("an epoch that does not grow")
  void epochs() {
    ledger.left(granted("s1", "m", 5));
    granted("s2", "m", 5);
    assertOnly(Rule.EPOCHS_GROW, "epoch 5 after 5");
  }

  @Test
  @DisplayName("a Machine that nobody asked whether it is there")
  void unproven() {
    ledger.granted(grant("s1", "m", 1), true, LedgerTest::later, Optional.of(new Answered(1, 1)));
    assertOnly(Rule.ONLY_PROVEN, "after 1 guacd and 1 RDP questions");
  }

  @Test
  @DisplayName("a granted Machine that shows nothing; not if the scenario broke it before")
  void doesNotServe() {
    ledger.harmed("other", "it hangs");
    ledger.doesNotServe(granted("s1", "other", 1), "silence");
    assertThat(ledger.brokenSoFar()).isZero();
    ledger.doesNotServe(granted("s2", "m", 2), "silence");
    assertOnly(Rule.GRANTED_SERVES, "did not serve: silence");
  }

  @Test
  @DisplayName("a live session that ends; not if the scenario broke its Machine")
  void disturbed() {
    Grant harmed = granted("s1", "other", 1);
    ledger.harmed("other", "its host died");
    ledger.disturbed(harmed, "broke");
    assertThat(ledger.brokenSoFar()).isZero();
    ledger.disturbed(granted("s2", "m", 2), "the connection to guacd broke");
    assertOnly(Rule.RUNS_ON, "s2 on m: the connection to guacd broke");
  }

  @Test
  @DisplayName("a request answered twice, one never answered, one that heard nothing")
  void answers() {
    ledger.asked(1);
    ledger.answered(1, null);
    ledger.answered(1, null);
    ledger.asked(2);
    ledger.closed();
    ledger.asked(3);
    ledger.answered(3, "silence");
    assertThat(broken(Rule.ANSWERED_ONCE))
        .containsExactly(
            "request 1 was answered twice",
            "request 2 was never answered",
            "request 3 was not answered: silence");
  }

  @Test
  @DisplayName("one session as the answer to two requests")
  void sameSession() {
    ledger.left(granted("s1", "m", 1));
    granted("s1", "m2", 2);
    assertOnly(Rule.SESSIONS_DIFFER, "s1 was the answer to two requests");
  }

  @Test
  @DisplayName("a session that goes on on another Machine is no second answer")
  void replaced() {
    Grant first = granted("s1", "m1", 1);
    ledger.harmed("m1", "crashed");
    ledger.disturbed(first, "replaced");
    ledger.granted(grant("s1", "m2", 2), false, LedgerTest::later, PROVEN);
    assertThat(ledger.brokenSoFar()).isZero();
  }

  @Test
  @DisplayName("a flood of the same is told in a few lines and a number")
  void flood() {
    for (int i = 0; i < 50; i++) granted("s" + i, "m", i);
    assertThat(broken(Rule.ONE_SESSION_PER_MACHINE)).hasSize(21).last().isEqualTo("and 29 more");
    assertThat(ledger.brokenSoFar()).isEqualTo(49);
  }
}
