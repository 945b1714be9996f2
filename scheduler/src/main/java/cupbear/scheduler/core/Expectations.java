// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Expected;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Standing;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /**
   * It was refused: it is not under way any more, and not to be tried again before then. An answer
   * that got lost is no refusal: leave the expectation open, its effect may still show.
   */
  public Expectations failed(Action action, Instant retryAt) {
    return with(new Expected(action.kind(), action.on(), retryAt, true));
  }

  /** It needs no waiting for: refused by the store, or of no effect. */
  public Expectations drop(Action action) {
    return without(expected -> isAbout(expected, action.kind(), action.on()));
  }

  /**
   * Lets go of what a fresh view shows, and of what nobody waits for any more.
   *
   * @param unanswered Machines whose destruction Fly has not answered yet. A list that misses one
   *     of them may have missed it before; the next one would have it destroyed once more
   */
  public Expectations settle(List<Machine> machines, Set<String> unanswered, Instant now) {
    if (open.isEmpty()) return this;
    Map<String, Machine> byIdAndName = new HashMap<>();
    for (Machine machine : machines) {
      byIdAndName.put(machine.id().value(), machine);
      byIdAndName.put(machine.name(), machine);
    }
    return without(expected -> {
      if (!expected.until().isAfter(now)) return true;
      if (expected.kind() == ActionKind.DESTROY && unanswered.contains(expected.on())) return false;
      return isMet(expected, byIdAndName.get(expected.on()));
    });
  }

  public List<Expected> list() {
    return List.copyOf(open.values());
  }

  private static boolean isMet(Expected expected, @Nullable Machine machine) {
    if (expected.heldOff()) return false;
    if (machine == null) return isMetByAbsence(expected.kind());
    Standing standing = machine.state().standing();
    Power power = machine.fly().power();
    return switch (expected.kind()) {
      case CREATE -> power != Power.ABSENT;
      case START -> standing != Standing.PARKED;
      case STOP -> Wipe.isDone(machine) || !Wipe.isAwaited(standing);
      case DESTROY -> power == Power.DESTROYED || power == Power.ABSENT;
      case STAGE -> standing != Standing.PROVING || isStaged(machine.state());
      case TEARDOWN -> standing != Standing.DRAINING || isCleaned(machine.state());
      case DOUBT, DRAIN -> standing != Standing.WARM;
      case BOOK -> !isBookable(standing);
      case LOSE -> standing != Standing.ASSIGNED;
      case ADOPT -> true;
      // Tags change with every move: the loop drops this one as soon as Fly has answered.
      case RETAG -> false;
    };
  }

  /** A Machine that is in no book has nothing left to wait for, unless it is to enter one. */
  private static boolean isMetByAbsence(ActionKind kind) {
    return kind != ActionKind.CREATE && kind != ActionKind.ADOPT;
  }

  private static boolean isBookable(Standing standing) {
    return standing == Standing.PROVISIONING
        || standing == Standing.DRAINING
        || standing == Standing.CONDEMNED;
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
