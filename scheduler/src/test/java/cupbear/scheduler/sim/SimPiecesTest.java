// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pieces of a simulated world, one by one. */
class SimPiecesTest {
  private final Agenda agenda = new Agenda();
  private final Trace trace = new Trace(agenda, null);
  private final Court court = new Court(agenda, trace, Seeds.wild(1));

  @Test
  void diceFallTheSameOnEveryMachine() {
    Dice dice = Dice.of(42, "anything");

    assertThat(List.of(dice.below(1000), dice.below(1000), dice.below(1000)))
        .containsExactly(672, 461, 100);
  }

  @Test
  void eventsComeInOrderOfTimeThenOfWriting() {
    List<String> seen = new ArrayList<>();
    agenda.after(Duration.ofSeconds(2), () -> seen.add("late"));
    agenda.after(Duration.ofSeconds(1), () -> seen.add("first"));
    agenda.after(Duration.ofSeconds(1), () -> seen.add("second"));
    agenda.after(Duration.ofSeconds(1), () -> seen.add("cancelled")).cancel();

    run(Duration.ofSeconds(3));

    assertThat(seen).containsExactly("first", "second", "late");
    assertThat(agenda.ran()).isEqualTo(3);
  }

  @Test
  void aFrozenProcessHearsEverythingInOrderOnceThawed() {
    SimProcess process = new SimProcess(agenda, "s1");
    List<String> seen = new ArrayList<>();
    process.time().after(Duration.ofSeconds(1), () -> seen.add("timer"));
    process.freeze();
    process.enter(() -> seen.add("answer"));

    run(Duration.ofSeconds(10));
    assertThat(seen).isEmpty();

    process.thaw();
    run(Duration.ofSeconds(11));
    assertThat(seen).containsExactly("answer", "timer");
  }

  @Test
  void aDeadProcessHearsNothing() {
    SimProcess process = new SimProcess(agenda, "s1");
    List<String> seen = new ArrayList<>();
    process.time().after(Duration.ofSeconds(1), () -> seen.add("timer"));
    process.kill();

    run(Duration.ofSeconds(10));

    assertThat(seen).isEmpty();
  }

  @Test
  void aJumpMovesTheWallClockAndNothingElse() {
    SimProcess process = new SimProcess(agenda, "s1");
    long before = process.time().nanos();
    process.jump(Duration.ofMinutes(5));

    assertThat(process.time().now()).isEqualTo(Agenda.BEGIN.plusSeconds(300));
    assertThat(process.time().nanos()).isEqualTo(before);
  }

  @Test
  void flyFindsByItsNameWhatALostAnswerMade() {
    SimFly fly = fly();

    Listed first = fly.create(order("viewers-iad-7-001"), "s1");
    Listed again = fly.create(order("viewers-iad-7-001"), "s2");

    assertThat(again.id()).isEqualTo(first.id());
  }

  @Test
  void aListMayLagBehindALook() {
    SimFly fly = fly();
    fly.weather.listLag = Duration.ofSeconds(25);
    Listed made = fly.create(order("viewers-iad-7-001"), "s1");

    assertThat(fly.look(made.id())).isPresent();
    assertThat(fly.list()).isEmpty();

    run(Duration.ofMinutes(2));
    assertThat(fly.list()).extracting(Listed::power).containsExactly(Power.RUNNING);
  }

  @Test
  void aStopWipesWhatASessionLeft() {
    SimFly fly = fly();
    SimMachine machine = machine(fly);
    run(Duration.ofMinutes(1));
    machine.used = true;

    fly.stop(machine.id, "s1");
    run(Duration.ofMinutes(2));

    assertThat(machine.power).isEqualTo(Power.STOPPED);
    assertThat(machine.used).isFalse();
    fly.start(machine.id, "s1");
    assertThat(machine.wasHealthy(agenda.nanos())).isFalse();
  }

  @Test
  void moreThanThePublishedRateIsNoticed() {
    FlyRates rates = new FlyRates(agenda, court, new Repeats(agenda, court));
    for (int i = 0; i < 3; i++) rates.sent("s1", "stop", "m1");
    assertThat(court.violations()).isEmpty();

    rates.sent("s1", "stop", "m1");

    assertThat(court.violations())
        .extracting(Violation::invariant)
        .containsExactly("published-rates");
  }

  @Test
  void aRequestWithoutAnAnswerIsNoticed() {
    SimProcess process = new SimProcess(agenda, "s1");
    new Answers(agenda, court).asked("k1", Duration.ofSeconds(2), process).arrived();

    run(Duration.ofSeconds(30));

    assertThat(court.violations())
        .extracting(Violation::invariant)
        .containsExactly("answered-in-time");
  }

  @Test
  void aViolationSaysHowToSeeItAgain() {
    court.violated("anything", "detail");

    assertThat(court.violations().getFirst().replay())
        .isEqualTo(
            "cupbear simulate --replay 1 --hours 1 --faults wild --schedulers 2 --demand diurnal");
  }

  private void run(Duration until) {
    while (agenda.step(until.toNanos())) {}
  }

  private SimFly fly() {
    return new SimFly(
        agenda,
        Dice.of(1, "fly"),
        trace,
        new SimFly.Witness() {
          @Override
          public void takingDown(String action, SimMachine machine, String by) {}

          @Override
          public void touching(String action, SimMachine machine, String by) {}

          @Override
          public void changed(SimMachine machine) {}
        });
  }

  private static SimMachine machine(SimFly fly) {
    fly.create(order("viewers-iad-7-001"), "s1");
    return fly.machines().iterator().next();
  }

  private static Order order(String name) {
    Template template =
        new Template(
            new TemplateVersion("7"), "image", new Template.Guest("shared", 1, 256), Map.of());
    return new Order(
        name, SimPool.NAME, SimPool.REGIONS.getFirst(), template, Keep.ALWAYS, Map.of());
  }
}
