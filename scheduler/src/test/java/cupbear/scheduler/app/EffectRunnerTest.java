// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.loop.Effect;
import cupbear.scheduler.loop.Ending;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Task;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Progress;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.model.Why;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines.Command;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.StoreTrouble;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The store first, then Fly; and every ending comes back. */
class EffectRunnerTest {
  private static final MachineId A = new MachineId("a");
  private static final Why WHY = new Why(Reason.UNDER_TARGET, "the test wants it");
  private static final Instant BOOTED = Instant.parse("2026-03-01T07:59:00Z");

  private final House house = new House();
  private final FakeBook book = new FakeBook();
  private final List<Event> events = new ArrayList<>();
  private final Tenure tenure =
      new Tenure(new Mandate(House.POOL, House.IAD, new Epoch(1)), house.time, 0);

  static Stream<Task> tasks() {
    Order order =
        new Order(
            "viewers-iad-7-001",
            House.POOL,
            House.IAD,
            new House().pool(House.IAD).declaration(House.IAD).desired().template(),
            Keep.ALWAYS,
            Map.of("pool", "viewers"));
    return Stream.of(
        new Task.Make(
            new Action.Create(order.name(), order.template().version(), Keep.ALWAYS, WHY),
            order,
            BOOTED.plusSeconds(70),
            BOOTED),
        new Task.Start(new Action.Start(A, Keep.ALWAYS, WHY), BOOTED),
        new Task.Stage(new Action.Stage(A, WHY), BOOTED),
        new Task.Shift(new Action.Doubt(A, WHY), new Move.Doubt(A)),
        new Task.Shift(new Action.Drain(A, WHY), new Move.Retire(A)),
        new Task.Shift(new Action.Book(A, Progress.STOPPED, WHY), new Move.Park(A)),
        new Task.Teardown(new Action.Teardown(A, WHY)),
        new Task.Stop(new Action.Stop(A, WHY)),
        destroy(),
        new Task.Lose(new Action.Lose(A, new SessionId("ses_1"), new Epoch(1), WHY)),
        new Task.Retag(new Action.Retag(A, Map.of("state", "warm"), WHY)));
  }

  private static Task destroy() {
    return new Task.Destroy(new Action.Destroy(A, Reserve.CONDEMN, WHY));
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void underAnOldMandateNothingReachesFly(Task task) {
    book.trouble = StoreTrouble.Kind.FENCED;
    run(task);
    assertThat(house.fly.calls).isEmpty();
    assertThat(events).contains(new Event.Outcome(task, new Ending.NotLeading()));
    assertThat(events).anyMatch(event -> event instanceof Event.MandateLost);
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void withoutTheStoreNothingReachesFly(Task task) {
    book.trouble = StoreTrouble.Kind.UNREACHABLE;
    run(task);
    house.time.pass(ofSeconds(9));
    assertThat(house.fly.calls).isEmpty();
    assertThat(ending()).isInstanceOf(Ending.StoreFailed.class);
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void afterALateRenewalNobodyIsEvenAsked(Task task) {
    house.time.freeze(ofSeconds(30));
    run(task);
    assertThat(house.fly.calls).isEmpty();
    assertThat(book.moves).isEmpty();
    assertThat(book.fences).isZero();
    assertThat(ending()).isInstanceOf(Ending.NotLeading.class);
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void whatWorksIsDone(Task task) {
    run(task);
    assertThat(ending()).isInstanceOf(Ending.Done.class);
  }

  @ParameterizedTest
  @EnumSource(FlyTrouble.Kind.class)
  void whatFlyRefusesComesBackAsItIs(FlyTrouble.Kind kind) {
    house.fly.trouble = kind;
    run(new Task.Stop(new Action.Stop(A, WHY)));
    assertThat(ending()).isEqualTo(new Ending.FlyFailed(kind, "as the test says"));
  }

  @Test
  void aFlyThatNeverAnswersIsATimeout() {
    house.fly.silent = true;
    run(new Task.Stop(new Action.Stop(A, WHY)));
    assertThat(events).isEmpty();
    house.time.pass(ofMinutes(2));
    assertThat(ending()).isInstanceOf(Ending.TimedOut.class);
  }

  @Test
  void aMachineThatWasClaimedMeanwhileIsNotDestroyed() {
    book.refusal = new Moved.Refused(Standing.ASSIGNED);
    run(destroy());
    assertThat(house.fly.calls).isEmpty();
    assertThat(ending()).isEqualTo(new Ending.Refused("it is assigned"));
  }

  @Test
  void aMachineThatNobodyKnowsIsNotDestroyed() {
    book.refusal = new Moved.Refused(null);
    run(destroy());
    assertThat(house.fly.calls).isEmpty();
  }

  @Test
  void aMachineThatIsCondemnedAlreadyIsDestroyed() {
    book.refusal = new Moved.Refused(Standing.CONDEMNED);
    run(destroy());
    assertThat(house.fly.calls).containsExactly("destroy a");
  }

  @Test
  void anUnsureMoveIsRepeatedAndFindsItselfDone() {
    book.troubles.add(StoreTrouble.Kind.UNSURE);
    book.refusal = new Moved.Refused(Standing.DRAINING);
    run(new Task.Shift(new Action.Drain(A, WHY), new Move.Retire(A)));
    house.time.pass(ofSeconds(1));
    assertThat(book.moves).hasSize(2);
    assertThat(ending()).isInstanceOf(Ending.Done.class);
  }

  @Test
  void aSessionThatMovedOnIsNotLost() {
    book.lost = new LoseResult.Moved();
    run(new Task.Lose(new Action.Lose(A, new SessionId("ses_1"), new Epoch(1), WHY)));
    assertThat(ending()).isInstanceOf(Ending.Refused.class);
  }

  @Test
  void aNewMachineIsEnrolledUnderTheIdThatFlyGaveIt() {
    run(tasks().findFirst().orElseThrow());
    assertThat(book.moves)
        .singleElement()
        .satisfies(move -> {
          assertThat(move).isInstanceOf(Move.Enrol.class);
          assertThat(move.machine()).isEqualTo(new MachineId("m1"));
        });
  }

  @Test
  void aMachineThatALostAnswerMadeIsEnrolled() {
    house.fly.createdAt = BOOTED.plusSeconds(1);
    run(tasks().findFirst().orElseThrow());
    assertThat(book.moves).hasSize(1);
  }

  /** It may have served a session, left the book while a list missed it, and be there still. */
  @Test
  void aMachineThatHadTheNameBeforeIsNotEnrolled() {
    house.fly.createdAt = BOOTED.minusSeconds(30);
    run(tasks().findFirst().orElseThrow());
    assertThat(book.moves).isEmpty();
    assertThat(ending()).isInstanceOf(Ending.Refused.class);
  }

  @Test
  void credentialsGoToTheMachinePlainAndToTheStoreSealed() {
    run(new Task.Stage(new Action.Stage(A, WHY), BOOTED));
    assertThat(house.fly.commands).extracting(Command::stdin).containsExactly("plain-a");
    assertThat(book.moves).containsExactly(new Move.Stage(A, BOOTED, "sealed-a"));
  }

  @Test
  void credentialsThatDidNotArriveAreNotBookedAndNotPrinted() {
    house.fly.exitCode = 1;
    run(new Task.Stage(new Action.Stage(A, WHY), BOOTED));
    assertThat(book.moves).isEmpty();
    assertThat(ending()).isEqualTo(new Ending.CommandFailed("stage ended with 1"));
  }

  @Test
  void thePlaybookRunsStepByStepAndIsBooked() {
    house.playbook = List.of(step("logout"), step("wipe"));
    run(new Task.Teardown(new Action.Teardown(A, WHY)));
    assertThat(house.fly.commands).extracting(Command::toString).containsExactly("logout", "wipe");
    assertThat(book.moves).containsExactly(new Move.Clean(A, true));
  }

  @Test
  void aFailedStepEndsThePlaybookAndCondemns() {
    house.playbook = List.of(step("logout"), step("wipe"));
    house.fly.exitCode = 3;
    run(new Task.Teardown(new Action.Teardown(A, WHY)));
    assertThat(house.fly.commands).hasSize(1);
    assertThat(book.moves).containsExactly(new Move.Clean(A, false));
    assertThat(ending()).isInstanceOf(Ending.CommandFailed.class);
  }

  @Test
  void aStepWhoseAnswerIsLostHasFailed() {
    house.playbook = List.of(step("logout"));
    house.fly.trouble = FlyTrouble.Kind.UNSURE;
    run(new Task.Teardown(new Action.Teardown(A, WHY)));
    assertThat(book.moves).containsExactly(new Move.Clean(A, false));
  }

  @Test
  void halfAnObservationIsToldAsHalf() {
    house.fly.trouble = FlyTrouble.Kind.UNAVAILABLE;
    runner().run(new Effect.Observe());
    assertThat(events)
        .singleElement()
        .satisfies(event -> {
          Event.Seen seen = (Event.Seen) event;
          assertThat(seen.list()).isNull();
          assertThat(seen.snapshot()).isNotNull();
          assertThat(seen.reportAsked()).isFalse();
        });
  }

  @Test
  void aStoreThatWantsAReportFirstIsHeard() {
    book.trouble = StoreTrouble.Kind.RECOVERING;
    runner().run(new Effect.Observe());
    assertThat(events).singleElement().matches(event -> ((Event.Seen) event).reportAsked());
  }

  @Test
  void everyOtherEffectHasItsEnding() {
    EffectRunner runner = runner();
    runner.run(new Effect.Probe(A, BOOTED, "fdaa::1", Probes.Depth.FULL));
    runner.run(new Effect.Prove(new Proof(A, BOOTED, BOOTED, BOOTED)));
    runner.run(new Effect.Vouch(List.of()));
    runner.run(new Effect.Look(List.of(A)));
    runner.run(new Effect.Expire());
    runner.run(new Effect.LookAtStore("test"));
    runner.run(new Effect.Watch(A));
    house.time.pass(ofMinutes(2));
    assertThat(events)
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly(
            "Probed", "Proved", "Vouched", "Looked", "Expired", "StoreLooked", "Watched");
  }

  @Test
  void aProberThatBreaksIsItsOwnFault() {
    Ports broken = house.ports(house.connection.claims(), book);
    Ports ports =
        new Ports(
            broken.claims(),
            book,
            broken.leadership(),
            broken.recovery(),
            broken.journal(),
            broken.apps(),
            (pool, machine, address, depth) -> {
              throw new IllegalStateException("broken");
            },
            broken.credentials(),
            broken.time(),
            broken.ids(),
            broken.meters());
    runner(ports).run(new Effect.Probe(A, BOOTED, "fdaa::1", Probes.Depth.GUACD));
    assertThat(events)
        .singleElement()
        .matches(event -> ((Event.Probed) event).answer().verdict() == Verdict.PROBER_FAULT);
  }

  private static Command step(String word) {
    return new Command(List.of(word), "", ofSeconds(5));
  }

  private void run(Task task) {
    runner().run(new Effect.Perform(task));
  }

  private EffectRunner runner() {
    return runner(house.ports(house.connection.claims(), book));
  }

  private EffectRunner runner(Ports ports) {
    Lister lister =
        new Lister(house.fly, house.time, new SteadyTime(house.time), Lister.SHARED_FOR);
    PoolSpec pool = house.pool(House.IAD);
    return new EffectRunner(
        tenure, ports, () -> pool, lister, new RegionBoard(house.time), events::add);
  }

  private Ending ending() {
    return events.stream()
        .filter(Event.Outcome.class::isInstance)
        .map(event -> ((Event.Outcome) event).ending())
        .findFirst()
        .orElseThrow();
  }
}
