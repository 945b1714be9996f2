// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import cupbear.fly.model.ExitEvent;
import cupbear.fly.model.HostStatus;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineEvent;
import cupbear.fly.model.MachineState;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.Power;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Fly's Machines in our words. */
class SightTest {
  private static final Instant UPDATED = Instant.parse("2026-09-01T10:00:00Z");
  private static final Sight SIGHT = new Sight("cupbear/prod");
  private static final MachineConfig OURS =
      MachineConfig.of("viewer").metadata("managed_by", "cupbear/prod").build();

  private static Machine machine(
      String id,
      String state,
      String region,
      @Nullable MachineConfig config,
      MachineEvent... events) {
    return new Machine(
        id,
        "n",
        MachineState.of(state),
        region,
        "01J",
        "",
        config,
        null,
        config == null ? HostStatus.UNREACHABLE : HostStatus.OK,
        null,
        List.of(),
        List.of(events),
        false,
        null,
        "",
        Instant.EPOCH,
        UPDATED);
  }

  private static Listed seen(String state, MachineEvent... events) {
    return SIGHT.of(machine("3d8d413b29d089", state, "iad", OURS, events)).orElseThrow();
  }

  private static MachineEvent event(String type, String status, long at) {
    return new MachineEvent("01J" + at, type, status, "flyd", at, null, 0);
  }

  private static MachineEvent exit(long at, boolean requested, Instant exitedAt) {
    ExitEvent how = new ExitEvent(137, 0, -1, true, requested, false, exitedAt, "");
    return new MachineEvent("01J" + at, "exit", "stopped", "flyd", at, how, 0);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "created, COMING_UP",
    "creating, COMING_UP",
    "starting, COMING_UP",
    "restarting, COMING_UP",
    "updating, COMING_UP",
    "replacing, COMING_UP",
    "started, RUNNING",
    "stopping, GOING_DOWN",
    "suspending, GOING_DOWN",
    "suspended, GOING_DOWN",
    "destroying, GOING_DOWN",
    "stopped, STOPPED",
    "failed, FAILED",
    "launch_failed, FAILED",
    "destroyed, DESTROYED",
    "pending, COMING_UP",
    "'', COMING_UP"
  })
  void power(String state, Power power) {
    assertThat(seen(state).power()).isEqualTo(power);
  }

  static Stream<Arguments> since() {
    return Stream.of(
        argumentSet(
            "the newest event with the state's name, whatever the order",
            "stopped",
            List.of(
                event("stop", "stopping", 30), exit(20, true, UPDATED), exit(40, true, UPDATED)),
            Instant.ofEpochMilli(40)),
        argumentSet(
            "not the event of another state",
            "started",
            List.of(event("stop", "stopping", 50), event("start", "started", 40)),
            Instant.ofEpochMilli(40)),
        argumentSet("the last change when no event tells", "started", List.of(), UPDATED));
  }

  @ParameterizedTest
  @MethodSource("since")
  void since(String state, List<MachineEvent> events, Instant since) {
    assertThat(seen(state, events.toArray(MachineEvent[]::new)).since()).isEqualTo(since);
  }

  @Test
  @DisplayName("an exit that nobody asked for is told with the time at which it was")
  void exited() {
    Instant at = Instant.ofEpochMilli(17);
    assertThat(seen("started", event("start", "started", 30), exit(20, false, at)).exitedAt())
        .isEqualTo(at);
    assertThat(seen("started", exit(20, false, Instant.EPOCH)).exitedAt())
        .isEqualTo(Instant.ofEpochMilli(20));
  }

  @Test
  @DisplayName("an older exit is history once a stop was asked for")
  void exitedBefore() {
    Listed stopped = seen("stopped", exit(40, true, UPDATED), exit(20, false, UPDATED));
    assertThat(stopped.exitedAt()).isNull();
  }

  @Test
  @DisplayName("what Fly does not say is null, not an invented value")
  void unsaid() {
    Listed seen = seen("created");
    assertThat(seen.address()).isNull();
    assertThat(seen.createdAt()).isNull();
  }

  @Test
  @DisplayName("ours by the tag of this environment, and by nothing else")
  void ours() {
    MachineConfig staging =
        MachineConfig.of("viewer").metadata("managed_by", "cupbear/staging").build();
    assertThat(SIGHT.of(machine("m1", "started", "iad", OURS)).orElseThrow().ours()).isTrue();
    assertThat(SIGHT.of(machine("m1", "started", "iad", staging)).orElseThrow().ours()).isFalse();
    Listed hidden = SIGHT.of(machine("m1", "started", "iad", null)).orElseThrow();
    assertThat(hidden.ours()).as("its host hides its tags").isFalse();
    assertThat(hidden.hostOk()).isFalse();
  }

  @ParameterizedTest(name = "id ''{0}'' in ''{1}'' is nothing of ours")
  @CsvSource({"'', iad", "'a b', iad", "m1, ''", "m1, Frankfurt"})
  void unformed(String id, String region) {
    assertThat(SIGHT.of(machine(id, "started", region, OURS))).isEmpty();
  }
}
