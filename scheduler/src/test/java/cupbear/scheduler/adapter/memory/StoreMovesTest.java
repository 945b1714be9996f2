// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.Lifecycle;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store's moves and the table of legal moves are written in two places, and must agree. */
class StoreMovesTest {
  private static final MachineId MACHINE = new MachineId("m1");
  private static final Instant BOOT = Instant.EPOCH;

  static Stream<Move> everyMove() {
    Booked booked =
        new Booked(
            MACHINE,
            "name",
            new Region("iad"),
            new TemplateVersion("7"),
            Keep.ALWAYS,
            BOOT,
            null,
            new MachineState.Provisioning(BOOT),
            null);
    return Stream.of(
        new Move.Enrol(booked),
        new Move.Adopt(booked),
        new Move.Restart(MACHINE, Keep.ALWAYS, BOOT),
        new Move.Boot(MACHINE, "fdaa::1"),
        new Move.Stage(MACHINE, BOOT, "sealed"),
        new Move.Doubt(MACHINE),
        new Move.Retire(MACHINE),
        new Move.Condemn(MACHINE),
        new Move.Clean(MACHINE, true),
        new Move.Park(MACHINE),
        new Move.Forget(MACHINE));
  }

  @Test
  @DisplayName("there is no move that this test does not know")
  void complete() {
    assertThat(everyMove().map(Object::getClass))
        .containsExactlyInAnyOrder(Move.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("everyMove")
  @DisplayName("every move leads where some signal leads from each of its starts")
  void legalFromEachStart(Move move) {
    for (Standing from : move.from()) {
      assertThat(Lifecycle.allows(from, move.to())).as("%s from %s", move, from).isTrue();
    }
    if (move.from().isEmpty()) {
      assertThat(Arrays.stream(Lifecycle.Signal.values()).map(s -> Lifecycle.next(null, s)))
          .contains(new Lifecycle.Outcome.Moved(move.to()));
    }
  }

  @ParameterizedTest
  @MethodSource("everyMove")
  @DisplayName("no move takes a Machine from its session, or makes one warm")
  void neverFromASession(Move move) {
    assertThat(move.from()).doesNotContain(Standing.ASSIGNED, Standing.UNKNOWN);
    assertThat(move.to()).isNotIn(Standing.WARM, Standing.ASSIGNED, Standing.UNKNOWN);
  }
}
