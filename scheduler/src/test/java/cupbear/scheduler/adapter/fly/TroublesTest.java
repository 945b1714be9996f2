// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import cupbear.fly.Action;
import cupbear.fly.FlyException;
import cupbear.fly.FlyFailure;
import cupbear.fly.FlyFailure.Facts;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.FlyTrouble.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each failure of Fly's means to the loop. */
class TroublesTest {

  private static Facts facts(Action action, String machine, boolean maybeDone) {
    return new Facts(action, "viewers", machine, 500, "01J-iad", "said Fly", maybeDone);
  }

  private static final Facts START = facts(Action.START, "m1", false);
  private static final Facts LIST = facts(Action.LIST_MACHINES, "", false);
  private static final Facts CREATE = facts(Action.CREATE_MACHINE, "", false);

  private static FlyFailure.NoCapacity full(FlyFailure.NoCapacity.Scope scope) {
    return new FlyFailure.NoCapacity(CREATE, scope);
  }

  static Stream<Arguments> plain() {
    return Stream.of(
        argumentSet("429", new FlyFailure.RateLimited(LIST), Kind.LIMITED),
        argumentSet("no such Machine", new FlyFailure.NotFound(START), Kind.GONE),
        argumentSet("no such app", new FlyFailure.NotFound(LIST), Kind.DENIED),
        argumentSet(
            "leased by another", new FlyFailure.LeaseHeld(START, "x", Instant.EPOCH), Kind.BUSY),
        argumentSet("name in use", new FlyFailure.NameTaken(CREATE, ""), Kind.BUSY),
        argumentSet("region full", full(FlyFailure.NoCapacity.Scope.REGION), Kind.NO_CAPACITY),
        argumentSet(
            "volume's host full", full(FlyFailure.NoCapacity.Scope.VOLUME), Kind.NO_CAPACITY),
        argumentSet("host full", full(FlyFailure.NoCapacity.Scope.HOST), Kind.HOST_FULL),
        argumentSet(
            "still being reaped",
            new FlyFailure.Precondition(START, FlyFailure.Precondition.Reason.STILL_ACTIVE),
            Kind.BUSY),
        argumentSet("changed meanwhile", new FlyFailure.VersionConflict(START), Kind.BUSY),
        argumentSet("organisation's limit", new FlyFailure.MachineLimit(CREATE), Kind.NO_CAPACITY),
        argumentSet("401", new FlyFailure.Unauthorised(LIST), Kind.DENIED),
        argumentSet("403", new FlyFailure.Forbidden(LIST), Kind.DENIED),
        argumentSet(
            "no turn in time",
            new FlyFailure.TimedOut(START, FlyFailure.TimedOut.Where.PACE),
            Kind.LIMITED),
        argumentSet(
            "no answer to a question",
            new FlyFailure.TimedOut(LIST, FlyFailure.TimedOut.Where.WIRE),
            Kind.UNAVAILABLE),
        argumentSet(
            "not sent",
            new FlyFailure.Unreachable(START, FlyFailure.Unreachable.Sent.NO),
            Kind.UNAVAILABLE),
        argumentSet(
            "breaker open",
            new FlyFailure.Unavailable(START, FlyFailure.Unavailable.Origin.BREAKER),
            Kind.UNAVAILABLE),
        argumentSet("refused as wrong", new FlyFailure.BadRequest(CREATE, false), Kind.DENIED),
        argumentSet("a proxy's page", new FlyFailure.Unreadable(LIST), Kind.UNAVAILABLE));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void meaning(FlyFailure failure, Kind kind) {
    FlyTrouble trouble = Troubles.of(new FlyException(failure));
    assertThat(trouble.kind()).isEqualTo(kind);
    assertThat(trouble).hasMessage(failure.sentence());
  }

  @Test
  @DisplayName("the table above has every failure there is")
  void complete() {
    Set<Class<?>> shown = plain().map(row -> row.get()[0].getClass()).collect(Collectors.toSet());
    assertThat(Arrays.asList(FlyFailure.class.getPermittedSubclasses()))
        .allSatisfy(each -> assertThat(shown).contains(each));
  }

  static Stream<Arguments> doubtful() {
    Function<Action, Facts> after = action -> facts(action, "m1", true);
    return Stream.of(
        argumentSet(
            "a start whose answer was lost",
            new FlyFailure.TimedOut(after.apply(Action.START), FlyFailure.TimedOut.Where.WIRE),
            Kind.UNSURE),
        argumentSet(
            "a stop behind a 5xx",
            new FlyFailure.Unavailable(after.apply(Action.STOP), FlyFailure.Unavailable.Origin.FLY),
            Kind.UNSURE),
        argumentSet(
            "a repeat that came too often",
            new FlyFailure.RateLimited(after.apply(Action.START)),
            Kind.UNSURE),
        argumentSet(
            "a repeat that met a full host: it does not run",
            new FlyFailure.NoCapacity(after.apply(Action.START), FlyFailure.NoCapacity.Scope.HOST),
            Kind.HOST_FULL),
        argumentSet(
            "a repeat that found nobody: it is gone",
            new FlyFailure.NotFound(after.apply(Action.START)),
            Kind.GONE),
        argumentSet(
            "a create that was lost, then refused for want of room: the first may have got in",
            new FlyFailure.NoCapacity(
                after.apply(Action.CREATE_MACHINE), FlyFailure.NoCapacity.Scope.REGION),
            Kind.UNSURE));
  }

  @ParameterizedTest
  @MethodSource("doubtful")
  void doubt(FlyFailure failure, Kind kind) {
    assertThat(Troubles.kind(failure)).isEqualTo(kind);
  }

  @Test
  @DisplayName("a mistake of our own is trouble too, and its text, which may hold anything, stays")
  void ownMistake() {
    FlyTrouble trouble = Troubles.of(new IllegalStateException("password=hunter2"));
    assertThat(trouble.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(trouble).hasMessageNotContaining("hunter2").hasMessageContaining("IllegalState");
  }
}
