// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Expected;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Phase;
import cupbear.scheduler.model.Power;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What we have done and the lists do not show yet. Without it, each pass over a lagging list would
 * create the same Machines again. An immutable value of its regional pool's loop; a new leader
 * starts empty and is saved by the deterministic names of its creates.
 */
public record Expectations(Map<String, Expected> open) {
  public static final Expectations NONE = new Expectations(Map.of());

  public Expectations {
    open = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(open));
  }

  /** An action is about to be sent: expect its effect until then. */
  public Expectations expect(Action action, Instant until) {
    return with(new Expected(action.kind(), action.on(), until, false));
  }

  /** It failed: it is not under way any more, and not to be tried again before then. */
  public Expectations failed(Action action, Instant retryAt) {
    return with(new Expected(action.kind(), action.on(), retryAt, true));
  }

  /** It needs no waiting for: refused by the store, or of no effect. */
  public Expectations drop(Action action) {
    return without(expected -> isAbout(expected, action.kind(), action.on()));
  }

  /** Lets go of what a fresh view shows, and of what nobody waits for any more. */
  public Expectations settle(List<Machine> machines, Instant now) {
    Map<String, Machine> byIdAndName = new LinkedHashMap<>();
    for (Machine machine : machines) {
      byIdAndName.put(machine.id().value(), machine);
      byIdAndName.put(machine.name(), machine);
    }
    return without(expected ->
        !expected.until().isAfter(now) || isMet(expected, byIdAndName.get(expected.on())));
  }

  public List<Expected> list() {
    return List.copyOf(open.values());
  }

  private static boolean isMet(Expected expected, @Nullable Machine machine) {
    if (expected.heldOff()) return false;
    if (machine == null) return expected.kind() == ActionKind.DESTROY;
    Phase phase = machine.state().phase();
    Power power = machine.fly().power();
    return switch (expected.kind()) {
      case CREATE -> power != Power.ABSENT;
      case START -> power == Power.COMING_UP || power == Power.RUNNING;
      case STOP -> power.isDown();
      case DESTROY -> power == Power.DESTROYED;
      case STAGE -> phase != Phase.PROVING || isStaged(machine.state());
      case TEARDOWN -> phase != Phase.DRAINING || isCleaned(machine.state());
      case DOUBT, DRAIN -> phase != Phase.WARM;
      case PARK -> phase != Phase.DRAINING;
      case LOSE -> phase != Phase.ASSIGNED;
      case ADOPT -> true;
      // Tags are compared by the plan itself; the deadline bounds the wait for them.
      case RETAG -> false;
    };
  }

  private static boolean isStaged(MachineState state) {
    return state instanceof MachineState.Proving proving && proving.staged();
  }

  private static boolean isCleaned(MachineState state) {
    return state instanceof MachineState.Draining draining && draining.cleaning() != Cleaning.DUE;
  }

  private Expectations with(Expected expected) {
    Map<String, Expected> next = new LinkedHashMap<>(open);
    next.put(key(expected), expected);
    return new Expectations(next);
  }

  private Expectations without(Predicate<Expected> gone) {
    Map<String, Expected> next = new LinkedHashMap<>(open);
    next.values().removeIf(gone);
    return new Expectations(next);
  }

  private static boolean isAbout(Expected expected, ActionKind kind, String on) {
    return expected.kind() == kind && expected.on().equals(on);
  }

  private static String key(Expected expected) {
    return expected.kind() + " " + expected.on();
  }
}
