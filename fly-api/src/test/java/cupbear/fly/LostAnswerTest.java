// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.VersionConflict;
import cupbear.fly.model.App;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that was perhaps carried out: nothing is done twice, nothing is given up too early. */
class LostAnswerTest {

  private static final String M = "/v1/apps/viewers/machines";
  private static final String I = M + "/3d8d413b29d089";
  private static final MachineConfig CONFIG = MachineConfig.of("img@sha256:1").build();
  private static final CreateMachine ORDER = CreateMachine.of("wp-1", "iad", CONFIG);
  private static final String MINE = Desk.machine("3d8d", "wp-1", "created");
  private static final String NAME_TAKEN =
      """
      {"error":"already_exists: unique machine name violation, machine ID 3d8d already exists with \
      name \\"wp-1\\""}\
      """;

  private final Desk desk = new Desk();

  record Loss(String name, UnaryOperator<ScriptedWire> happens) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Loss> losses() {
    return Stream.of(
        new Loss("connection reset", ScriptedWire::thenReset),
        new Loss("no answer in time", ScriptedWire::thenHang),
        new Loss("408", wire -> wire.then(408, "")),
        new Loss("504", wire -> wire.then(504, "upstream timed out")),
        new Loss("200 that is cut off", wire -> wire.then(200, "{\"id\":\"3d8d\",\"na")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("losses")
  void aCreateIsFoundByItsNameAndAdopted(Loss loss) {
    loss.happens().apply(desk.wire).then(200, "[" + MINE + "]");
    Created created = desk.value(desk.app.create(ORDER));
    assertThat(created.adopted()).isTrue();
    assertThat(created.machine().id()).isEqualTo("3d8d");
    assertThat(desk.wire.requests()).containsExactly("POST " + M, "GET " + M + "?region=iad");
  }

  @Test
  void theListIsAskedHalfASecondLaterAtLeast() {
    long start = desk.time.nanos();
    desk.wire.thenReset().then(200, "[" + MINE + "]");
    desk.value(desk.app.create(ORDER));
    assertThat(desk.since(start)).isBetween(Duration.ofMillis(500), Duration.ofMillis(700));
  }

  @Test
  void aCreateThatIsNotInTheListIsSentAgainUnderTheSameName() {
    desk.wire.thenReset().then(200, "[]").then(200, MINE);
    Created created = desk.value(desk.app.create(ORDER));
    assertThat(created.adopted()).isFalse();
    assertThat(desk.wire.sent.get(2).body()).isEqualTo(desk.wire.sent.get(0).body());
  }

  @Test
  void whenTheListLagsTheRefusalNamesTheMachineToAdopt() {
    desk.wire.thenReset().then(200, "[]").then(409, NAME_TAKEN).then(200, MINE);
    assertThat(desk.value(desk.app.create(ORDER)).adopted()).isTrue();
    assertThat(desk.wire.requests())
        .containsExactly(
            "POST " + M, "GET " + M + "?region=iad", "POST " + M, "GET " + M + "/3d8d");
  }

  @Test
  void anotherMachineOrADyingOneOfThatNameIsNotAdopted() {
    String other = Desk.machine("aaaa", "wp-2", "created");
    String dying = Desk.machine("bbbb", "wp-1", "destroying");
    desk.wire.thenReset().then(200, "[" + other + "," + dying + "]").then(200, MINE);
    assertThat(desk.value(desk.app.create(ORDER)).machine().id()).isEqualTo("3d8d");
  }

  @Test
  void aNameThatWasTakenFromTheStartIsTheCallersMatter() {
    desk.wire.then(409, NAME_TAKEN);
    assertThat(desk.failure(desk.app.create(ORDER)))
        .isInstanceOfSatisfying(
            NameTaken.class, taken -> assertThat(taken.holder()).isEqualTo("3d8d"))
        .satisfies(failure -> assertThat(failure.facts().maybeDone()).isFalse());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"'lhr,eu'", "any", "usa", "''"})
  void aMachineThatMayLandAnywhereIsLookedForEverywhere(String region) {
    desk.wire.thenReset().then(200, "[" + MINE + "]");
    desk.value(desk.app.create(CreateMachine.of("wp-1", region, CONFIG)));
    assertThat(desk.wire.requests()).last().isEqualTo("GET " + M);
  }

  @Test
  void whenNobodyCanTellTheFailureSaysSo() {
    desk.wire.thenReset().always(out -> ScriptedWire.reply(503, "down"));
    FlyFailure failure = desk.failure(desk.app.within(Duration.ofSeconds(20)).create(ORDER));
    assertThat(failure).isInstanceOf(Unreachable.class);
    assertThat(failure.facts().maybeDone()).isTrue();
    assertThat(failure.sentence()).contains("may have been carried out");
    assertThat(desk.wire.requests().stream().filter(("POST " + M)::equals)).hasSize(1);
  }

  @Test
  void doubtOutlivesALaterRefusal() {
    desk.wire.thenReset().then(200, "[]").always(out -> ScriptedWire.reply(401, ""));
    FlyFailure failure = desk.failure(desk.app.create(ORDER));
    assertThat(failure).isInstanceOf(FlyFailure.Unauthorised.class);
    assertThat(failure.facts().maybeDone()).isTrue();
  }

  @ParameterizedTest(name = "start, then {0}: {1} requests in all")
  @CsvSource({"starting, 2", "started, 2", "stopped, 3", "suspended, 3"})
  void aStartIsRepeatedOnlyWhenTheMachineRests(String state, int requests) {
    desk.wire.thenReset().then(200, Desk.machine("3d8d413b29d089", "n", state)).then(200, "{}");
    desk.value(desk.machine.start());
    assertThat(desk.wire.sent).hasSize(requests);
    assertThat(desk.wire.requests().get(1)).isEqualTo("GET " + I);
  }

  @Test
  void aStartOfADestroyedMachineIsNotFound() {
    desk.wire.thenReset().then(200, Desk.machine("3d8d413b29d089", "n", "destroyed"));
    assertThat(desk.failure(desk.machine.start())).isInstanceOf(NotFound.class);
  }

  @ParameterizedTest(name = "stop, then {0}: {1} requests in all")
  @CsvSource({"stopping, 2", "stopped, 2", "destroyed, 2", "started, 3", "suspended, 3"})
  void aStopIsRepeatedOnlyWhenTheMachineIsUp(String state, int requests) {
    desk.wire.thenReset().then(200, Desk.machine("3d8d413b29d089", "n", state)).then(200, "{}");
    desk.value(desk.machine.stop(Stop.AS_CONFIGURED));
    assertThat(desk.wire.sent).hasSize(requests);
  }

  @Test
  void aStopOfAMachineThatIsGoneIsDone() {
    desk.wire.thenReset().then(404, "");
    desk.value(desk.machine.stop(Stop.AS_CONFIGURED));
  }

  @Test
  void aSuspendIsLookedUpToo() {
    desk.wire.thenReset().then(200, Desk.machine("3d8d413b29d089", "n", "suspending"));
    desk.value(desk.machine.suspend());
    assertThat(desk.wire.sent).hasSize(2);
  }

  @Test
  void anUpdateThatLandedIsRecognisedByItsVersionAndContent() {
    String landed = MINE.replace("01V1", "01V2");
    desk.wire.thenReset().then(200, landed);
    Machine machine = desk.value(desk.machine.update(UpdateMachine.of(CONFIG, "01V1")));
    assertThat(machine.instanceId()).isEqualTo("01V2");
  }

  @Test
  void anUpdateThatDidNotLandIsRepeated() {
    desk.wire.thenReset().then(200, MINE).then(200, MINE.replace("01V1", "01V2"));
    desk.value(desk.machine.update(UpdateMachine.of(CONFIG, "01V1")));
    assertThat(desk.wire.sent).hasSize(3);
  }

  @Test
  void anUpdateOvertakenBySomebodyElseIsAConflict() {
    String theirs = MINE.replace("01V1", "01V9").replace("img@sha256:1", "img@sha256:9");
    desk.wire.thenReset().then(200, theirs);
    assertThat(desk.failure(desk.machine.update(UpdateMachine.of(CONFIG, "01V1"))))
        .isInstanceOf(VersionConflict.class);
  }

  @Test
  void anUpdateWithoutAVersionCannotBeLookedUp() {
    desk.wire.thenReset();
    assertThat(desk.failure(desk.machine.update(UpdateMachine.of(CONFIG, ""))))
        .isInstanceOf(Unreachable.class);
    assertThat(desk.wire.sent).hasSize(1);
  }

  @Test
  void aLeaseOfOursIsKnownByItsDescription() {
    desk.wire
        .thenReset()
        .then(200, "{\"data\":{\"nonce\":\"abc\",\"expires_at\":9,\"description\":\"assign:7\"}}");
    Lease lease = desk.value(desk.machine.acquireLease(Duration.ofSeconds(30), "assign:7"));
    assertThat(lease.nonce()).isEqualTo("abc");
  }

  @Test
  void aLeaseOfSomebodyElseIsHeld() {
    desk.wire.thenReset().then(200, "{\"owner\":\"bob\",\"expires_at\":9,\"description\":\"x\"}");
    assertThat(desk.failure(desk.machine.acquireLease(Duration.ofSeconds(30), "assign:7")))
        .isInstanceOfSatisfying(LeaseHeld.class, held -> assertThat(held.owner()).isEqualTo("bob"));
  }

  @Test
  void noLeaseAtAllIsAskedForAgain() {
    desk.wire.thenReset().then(404, "lease not found").then(201, "{\"nonce\":\"abc\"}");
    desk.value(desk.machine.acquireLease(Duration.ofSeconds(30), "assign:7"));
    assertThat(desk.wire.sent).hasSize(3);
  }

  @Test
  void whatIsHarmlessTwiceIsSimplyRepeated() {
    desk.wire.thenReset().then(504, "").then(204, "");
    desk.value(desk.machine.metadata().patch(MetadataChange.NOTHING.setting("state", "warm")));
    desk.wire.thenReset().then(404, "machine not found");
    desk.value(desk.machine.delete(true));
    assertThat(desk.wire.sent).hasSize(5);
  }

  @Test
  void aCommandIsNeverRunTwice() {
    desk.wire.thenReset();
    assertThat(desk.failure(desk.machine.exec(ExecCommand.of("teardown"))).facts().maybeDone())
        .isTrue();
    desk.wire.then(502, "");
    assertThat(desk.failure(desk.machine.signal("SIGTERM"))).isInstanceOf(Unavailable.class);
    desk.wire.thenHang();
    assertThat(desk.failure(desk.machine.restart(Stop.AS_CONFIGURED))).isInstanceOf(TimedOut.class);
    assertThat(desk.wire.sent).hasSize(3);
  }

  @Test
  void aCommandThatNeverLeftIsSent() {
    desk.wire.thenRefuse().then(200, "{}");
    assertThat(desk.value(desk.machine.exec(ExecCommand.of("true"))).ok()).isTrue();
  }

  @Test
  void anAppIsFoundByItsName() {
    desk.wire.thenReset().then(200, "{\"name\":\"v\"}");
    desk.value(desk.fly.createApp(new NewApp("v", "acme", "")));
    desk.wire.thenReset().then(404, "").then(201, "{\"id\":\"z4k6\"}");
    App made = desk.value(desk.fly.createApp(new NewApp("v", "acme", "")));
    assertThat(made.id()).isEqualTo("z4k6");
    assertThat(made.name()).as("which the answer to a create leaves out").isEqualTo("v");
  }
}
