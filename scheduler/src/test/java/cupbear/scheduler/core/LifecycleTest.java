// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.Lifecycle.Outcome;
import cupbear.scheduler.core.Lifecycle.Signal;
import cupbear.scheduler.model.Standing;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleTest {
  @ParameterizedTest(name = "{0} --{1}--> {2}")
  @CsvSource({
    "-, create_accepted, provisioning",
    "-, adopted, draining",
    "provisioning, fly_started, proving",
    "provisioning, launch_failed, condemned",
    "provisioning, boot_deadline, condemned",
    "provisioning, gone, condemned",
    "proving, proven, warm",
    "proving, boot_deadline, condemned",
    "proving, exited, condemned",
    "proving, struck_out, condemned",
    "warm, doubted, proving",
    "warm, claimed, assigned",
    "warm, retired, draining",
    "warm, exited, condemned",
    "assigned, released, draining",
    "assigned, withdrawn, warm",
    "assigned, exited, condemned",
    "assigned, gone, condemned",
    "assigned, unreachable, condemned",
    "draining, stopped, parked",
    "draining, template_old, condemned",
    "draining, teardown_failed, condemned",
    "parked, start_accepted, provisioning",
    "parked, parked_too_many, condemned",
    "unknown, recognised, assigned",
    "unknown, released, draining",
    "condemned, destroyed, forgotten"
  })
  void legalMove(String from, String signal, String to) {
    assertThat(said(Lifecycle.next(standing(from), signal(signal)))).isEqualTo(to);
  }

  @ParameterizedTest(name = "{0} --{1}--> breach")
  @CsvSource({
    "-, claimed",
    "provisioning, proven",
    "provisioning, claimed",
    "proving, claimed",
    "parked, claimed",
    "draining, claimed",
    "draining, proven",
    "draining, start_accepted",
    "condemned, proven",
    "condemned, claimed",
    "condemned, start_accepted",
    "assigned, claimed",
    "assigned, retired",
    "assigned, stopped",
    "assigned, boot_deadline",
    "warm, stopped",
    "warm, destroyed",
    "unknown, claimed"
  })
  void breach(String from, String signal) {
    Outcome outcome = Lifecycle.next(standing(from), signal(signal));
    assertThat(outcome).isInstanceOf(Outcome.Breach.class);
    assertThat(outcome.toString()).contains(signal.toUpperCase(Locale.ROOT));
  }

  /** The promises that the table as a whole has to keep. */
  @Test
  void onlyAProofMakesWarmAndOnlyWarmIsClaimedAndOnlyAStopParks() {
    assertThat(signalsInto(Standing.WARM))
        .isEqualTo(Map.of("proving", "PROVEN", "assigned", "WITHDRAWN"));
    assertThat(signalsInto(Standing.ASSIGNED))
        .isEqualTo(
            Map.of(
                "warm", "CLAIMED RECOGNISED",
                "unknown", "RECOGNISED",
                "provisioning", "RECOGNISED",
                "proving", "RECOGNISED",
                "parked", "RECOGNISED",
                "draining", "RECOGNISED"));
    assertThat(signalsInto(Standing.PARKED)).isEqualTo(Map.of("draining", "STOPPED"));
    assertThat(signalsInto(Standing.PROVISIONING)).isEqualTo(Map.of("parked", "START_ACCEPTED"));
  }

  @Test
  void condemnedIsForGood() {
    for (Standing to : Standing.values()) {
      assertThat(Lifecycle.allows(Standing.CONDEMNED, to)).isEqualTo(to == Standing.CONDEMNED);
    }
    assertThat(Lifecycle.allows(Standing.WARM, Standing.ASSIGNED)).isTrue();
    assertThat(Lifecycle.allows(Standing.DRAINING, Standing.WARM)).isFalse();
  }

  private static Map<String, String> signalsInto(Standing to) {
    Map<String, String> found = new TreeMap<>();
    for (Standing from : Standing.values()) {
      Arrays.stream(Signal.values())
          .filter(signal -> Lifecycle.next(from, signal).equals(new Outcome.Moved(to)))
          .forEach(signal -> found.merge(from.word(), signal.name(), (a, b) -> a + " " + b));
    }
    return found;
  }

  private static String said(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Moved moved -> moved.to().word();
      case Outcome.Forgotten any -> "forgotten";
      case Outcome.Breach breach -> breach.why();
    };
  }

  private static @Nullable Standing standing(String word) {
    return word.equals("-") ? null : Standing.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static Signal signal(String word) {
    return Signal.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
