// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Progress;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExpectationsTest {
  private static final Instant DEADLINE = NOW.plusSeconds(60);
  private static final MachineId X = new MachineId("x");
  private static final Why WHY = new Why(Reason.UNDER_TARGET, "test");
  private static final Action CREATE =
      new Action.Create("name-x", new TemplateVersion("7"), Keep.ALWAYS, WHY);
  private static final Action START = new Action.Start(X, Keep.ALWAYS, WHY);
  private static final Action STOP = new Action.Stop(X, WHY);
  private static final Action DESTROY = new Action.Destroy(X, Reserve.CONDEMN, WHY);
  private static final Action TEARDOWN = new Action.Teardown(X, WHY);
  private static final Action BOOK = new Action.Book(X, Progress.STOPPED, WHY);
  private static final Action LOSE = new Action.Lose(X, new SessionId("ses_x"), new Epoch(1), WHY);

  record Row(String name, Action action, @Nullable Seen seen, boolean open) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> comingUp() {
    return Stream.of(
        row("a create nobody shows stays open", CREATE, null, true),
        row(
            "a create in the books only stays open",
            CREATE,
            Seen.provisioning("x").missing(1),
            true),
        row("a create in the list is met", CREATE, Seen.provisioning("x"), false),
        row("a start of a parked one stays open", START, Seen.parked("x"), true),
        row("a start that was accepted is met", START, Seen.provisioning("x"), false),
        row(
            "credentials not staged stay open",
            new Action.Stage(X, WHY),
            Seen.proving("x", false),
            true),
        row("credentials staged are met", new Action.Stage(X, WHY), Seen.proving("x", true), false),
        row("a doubt of a warm one stays open", new Action.Doubt(X, WHY), Seen.warm("x"), true),
        row("a doubt is met by proving", new Action.Doubt(X, WHY), Seen.proving("x"), false));
  }

  static Stream<Row> leaving() {
    return Stream.of(
        row("a drain of a warm one stays open", new Action.Drain(X, WHY), Seen.warm("x"), true),
        row(
            "a drain that came too late is met",
            new Action.Drain(X, WHY),
            Seen.assigned("x"),
            false),
        row("a teardown due stays open", TEARDOWN, Seen.draining("x", Cleaning.DUE), true),
        row("a teardown that failed is met", TEARDOWN, Seen.draining("x", Cleaning.FAILED), false),
        row("a stop of a running one stays open", STOP, Seen.draining("x", Cleaning.DONE), true),
        row(
            "a stop of one going down stays open",
            STOP,
            Seen.draining("x", Cleaning.DONE).power(Power.GOING_DOWN),
            true),
        row(
            "a stop from before the session meets nothing",
            STOP,
            Seen.draining("x", Cleaning.DONE).power(Power.STOPPED, Duration.ofHours(1)),
            true),
        row(
            "a stop is met by stopped",
            STOP,
            Seen.draining("x", Cleaning.DONE).power(Power.STOPPED),
            false),
        row(
            "booking a stop stays open while draining",
            BOOK,
            Seen.draining("x", Cleaning.DONE),
            true),
        row("booking a stop is met by parked", BOOK, Seen.parked("x"), false),
        row("a destruction of a running one stays open", DESTROY, Seen.condemned("x", false), true),
        row(
            "a destruction is met by absence",
            DESTROY,
            Seen.condemned("x", false).missing(1),
            false),
        row("a destruction is met when no book knows it", DESTROY, null, false),
        row("a loss of an assigned one stays open", LOSE, Seen.assigned("x"), true),
        row("a loss is met by condemned", LOSE, Seen.condemned("x", true), false),
        row(
            "an adoption stays open until it is in the books",
            new Action.Adopt(X, WHY),
            null,
            true),
        row(
            "an adoption is met in the books",
            new Action.Adopt(X, WHY),
            Seen.draining("x", Cleaning.NOTHING),
            false),
        row(
            "tags stay open until Fly has answered",
            new Action.Retag(X, Map.of(), WHY),
            Seen.warm("x"),
            true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"comingUp", "leaving"})
  void settle(Row row) {
    List<Machine> machines = row.seen == null ? List.of() : List.of(row.seen.machine());
    Expectations after =
        Expectations.NONE.expect(row.action, DEADLINE).settle(machines, Set.of(), NOW);
    assertThat(after.list()).hasSize(row.open ? 1 : 0);
    assertThat(after.settle(machines, Set.of(), DEADLINE).list()).as("past its deadline").isEmpty();
  }

  @Test
  void aRefusedActionIsHeldOffUntilItsTime() {
    Expectations refused =
        Expectations.NONE.expect(START, DEADLINE).failed(START, NOW.plusSeconds(5));
    assertThat(refused.list()).singleElement().matches(each -> each.heldOff());
    assertThat(refused.settle(List.of(Seen.provisioning("x").machine()), Set.of(), NOW).list())
        .hasSize(1);
    assertThat(refused.settle(List.of(), Set.of(), NOW.plusSeconds(5)).list()).isEmpty();
  }

  @Test
  void whatNeedsNoWaitingIsDroppedAndNothingElse() {
    Expectations two = Expectations.NONE.expect(START, DEADLINE).expect(DESTROY, DEADLINE);
    assertThat(two.drop(START).list()).singleElement().matches(each -> each.on().equals("x"));
    assertThat(two.drop(STOP)).isEqualTo(two);
  }

  private static Row row(String name, Action action, @Nullable Seen seen, boolean open) {
    return new Row(name, action, seen, open);
  }

  @Test
  void aDestructionUnderWayIsNotMetByAListThatMissesTheMachine() {
    Why why = new Why(Reason.GONE, "missing from 2 lists in a row");
    Action destroy = new Action.Destroy(new MachineId("x"), Reserve.CONDEMN, why);
    Expectations sent = Expectations.NONE.expect(destroy, DEADLINE);
    List<Machine> missed = List.of(Seen.condemned("x", false).missing(2).machine());
    assertThat(sent.settle(missed, Set.of("x"), NOW).list()).as("unanswered").hasSize(1);
    assertThat(sent.settle(missed, Set.of(), NOW).list()).as("answered").isEmpty();
    assertThat(sent.settle(missed, Set.of("x"), DEADLINE).list()).as("given up").isEmpty();
  }
}
