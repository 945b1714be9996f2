// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static cupbear.fly.Urgency.ROUTINE;
import static cupbear.fly.Urgency.URGENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who goes when: pace, places, order and deadlines together. */
class GateTest {

  private final ManualTime time = new ManualTime();
  private final List<String> log = new ArrayList<>();

  @Test
  void oneAppIsServedInTheOrderOfArrival() {
    Gate gate = gate(FlyConfig.Pacing.USUAL);
    for (int i = 1; i <= 5; i++) {
      enter(gate, Action.CREATE_MACHINE, "app", ROUTINE, "c" + i, 60);
    }
    assertThat(log).containsExactly("c1", "c2");
    time.advance(Duration.ofMillis(1001));
    assertThat(log).containsExactly("c1", "c2", "c3");
    time.advance(Duration.ofSeconds(2));
    assertThat(log).containsExactly("c1", "c2", "c3", "c4", "c5");
  }

  @Test
  void otherMachinesAndOtherActionsDoNotWait() {
    Gate gate = gate(FlyConfig.Pacing.USUAL);
    for (int i = 0; i < 3; i++) {
      enter(gate, Action.START, "m1", ROUTINE, "m1", 60);
    }
    enter(gate, Action.START, "m2", ROUTINE, "m2", 60);
    enter(gate, Action.EXEC, "m1", ROUTINE, "exec", 60);
    assertThat(log).containsExactly("m1", "m1", "m2", "exec");
  }

  @Test
  void anUrgentCallOvertakesRoutineOnes() {
    Gate gate = gate(FlyConfig.Pacing.USUAL);
    for (int i = 1; i <= 4; i++) {
      enter(gate, Action.PATCH_METADATA, "m", ROUTINE, "r" + i, 60);
    }
    enter(gate, Action.PATCH_METADATA, "m", URGENT, "u1", 60);
    assertThat(log).as("the kept token").containsExactly("r1", "r2", "u1");
    enter(gate, Action.PATCH_METADATA, "m", URGENT, "u2", 60);
    time.advance(Duration.ofMillis(1001));
    assertThat(log).containsExactly("r1", "r2", "u1", "u2");
    time.advance(Duration.ofSeconds(5));
    assertThat(log).containsExactly("r1", "r2", "u1", "u2", "r3", "r4");
  }

  @Test
  void placesAreKeptForUrgentCalls() {
    Gate gate = gate(FlyConfig.Pacing.USUAL.inFlight(4, 1));
    for (int i = 1; i <= 5; i++) {
      enter(gate, Action.START, "m" + i, ROUTINE, "start" + i, 60);
    }
    enter(gate, Action.STOP, "m9", URGENT, "stop", 60);
    assertThat(log).containsExactly("start1", "start2", "start3", "stop");
    gate.leave(Action.START);
    assertThat(log).as("three of four still on the wire").hasSize(4);
    gate.leave(Action.START);
    assertThat(log).endsWith("start4");
    assertThat(gate.inFlight()).isEqualTo(3);
  }

  @Test
  void longPollsTakeNoPlace() {
    Gate gate = gate(FlyConfig.Pacing.USUAL.inFlight(2, 1));
    for (int i = 0; i < 50; i++) {
      enter(gate, Action.WAIT, "m" + i, ROUTINE, "wait", 60);
    }
    enter(gate, Action.START, "m1", ROUTINE, "start", 60);
    assertThat(log).hasSize(51).endsWith("start");
    assertThat(gate.inFlight()).isEqualTo(1);
  }

  @Test
  void whoseTimeIsOverIsToldAndTheOthersMoveUp() {
    Gate gate = gate(FlyConfig.Pacing.USUAL);
    enter(gate, Action.CREATE_MACHINE, "app", ROUTINE, "c1", 60);
    enter(gate, Action.CREATE_MACHINE, "app", ROUTINE, "c2", 60);
    Gate.Key key = new Gate.Key(Action.CREATE_MACHINE, "app");
    gate.refused(key);
    enter(gate, Action.CREATE_MACHINE, "app", ROUTINE, "short", 1);
    enter(gate, Action.CREATE_MACHINE, "app", ROUTINE, "c3", 60);
    time.advance(Duration.ofMillis(999));
    assertThat(log).containsExactly("c1", "c2");
    time.advance(Duration.ofMillis(1));
    assertThat(log).containsExactly("c1", "c2", "short too late");
    time.advance(Duration.ofSeconds(10));
    assertThat(log).containsExactly("c1", "c2", "short too late", "c3");
  }

  @Test
  void theQueueIsBounded() {
    var few = new FlyConfig.Pacing(new Rate(1, 1), java.util.Map.of(), 32, 8, 512, 2);
    Gate gate = gate(few);
    for (int i = 1; i <= 4; i++) {
      enter(gate, Action.START, "m", ROUTINE, "s" + i, 60);
    }
    assertThat(log).containsExactly("s1", "s4 too late");
    assertThat(gate.waiting()).isEqualTo(2);
  }

  @Test
  void closingTurnsEverybodyAway() {
    Gate gate = gate(FlyConfig.Pacing.USUAL);
    for (int i = 1; i <= 3; i++) {
      enter(gate, Action.START, "m", ROUTINE, "s" + i, 60);
    }
    gate.close();
    assertThat(log).containsExactly("s1", "s2", "s3 too late");
    assertThat(time.jump()).as("no timer is left behind").isFalse();
  }

  private Gate gate(FlyConfig.Pacing pacing) {
    return new Gate(pacing, time, Runnable::run);
  }

  private void enter(
      Gate gate, Action action, String id, Urgency urgency, String name, int seconds) {
    long deadline = time.nanos() + Duration.ofSeconds(seconds).toNanos();
    gate.enter(
        new Gate.Key(action, id),
        urgency,
        deadline,
        new Gate.Waiter() {
          @Override
          public void go() {
            log.add(name);
          }

          @Override
          public void tooLate(String why) {
            log.add(name + " too late");
          }
        });
  }
}
