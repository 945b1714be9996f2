// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.CapacityMemory;
import cupbear.scheduler.core.Expectations;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Expected;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.StoreTrouble;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * What we have set going, what came of it, and what is not to be tried again yet. A refusal is held
 * off for a while; an answer that got lost leaves the expectation open, because its effect may
 * still show.
 */
final class Intentions {
  /** The store or the Machine was elsewhere: the next observation will say where. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration LATER = Duration.ofSeconds(10);

  /** Trying again does not help before somebody changes something. */
  private static final Duration MUCH_LATER = Duration.ofMinutes(1);

  /** A host that is full stays full for a while; another Machine is the better bet. */
  private static final Duration HOST_FULL = Duration.ofMinutes(10);

  private final Region region;
  private final DoubleSupplier luck;
  private Expectations expectations = Expectations.NONE;
  private final Set<String> destroying = new HashSet<>();
  private final Map<String, Instant> namesAsked = new HashMap<>();
  private CapacityMemory capacity = CapacityMemory.NONE;

  Intentions(Region region, DoubleSupplier luck) {
    this.region = region;
    this.luck = luck;
  }

  void begin(Action action, Policy policy, Instant now) {
    Duration within =
        action.kind() == ActionKind.TEARDOWN
            ? policy.turnover().drainDeadline()
            : policy.pass().answerWithin();
    if (action.kind() == ActionKind.DESTROY) destroying.add(action.on());
    expectations = expectations.expect(action, now.plus(within));
  }

  /** When this name was first asked for since the book last had a Machine of that name. */
  Instant firstAsked(String name, Instant now) {
    return namesAsked.computeIfAbsent(name, any -> now);
  }

  void settle(List<Machine> machines, Instant now) {
    machines.forEach(machine -> namesAsked.remove(machine.name()));
    expectations = expectations.settle(machines, destroying, now);
  }

  boolean isUnderWay(ActionKind kind, String on, Instant now) {
    for (Expected each : expectations.open().values()) {
      if (each.kind() == kind && each.on().equals(on) && each.until().isAfter(now)) return true;
    }
    return false;
  }

  List<Expected> list() {
    return expectations.list();
  }

  Capacity capacity() {
    return capacity.of(region);
  }

  void ended(Action action, Ending ending, Policy policy, Instant now) {
    if (action.kind() == ActionKind.DESTROY) destroying.remove(action.on());
    switch (ending) {
      case Ending.Done any -> done(action, now);
      case Ending.Refused any -> holdOff(action, now.plus(SOON));
      case Ending.CommandFailed any -> holdOff(action, now.plus(LATER));
      case Ending.FlyFailed failed -> flyFailed(action, failed.kind(), policy.trust(), now);
      case Ending.StoreFailed failed -> storeFailed(action, failed.kind(), now);
      case Ending.TimedOut any -> {}
      case Ending.NotLeading any -> expectations = expectations.drop(action);
    }
  }

  /** Tags that Fly took show with the next lists; until then they look as wrong as before. */
  private void done(Action action, Instant now) {
    if (action.kind() == ActionKind.CREATE) {
      capacity = capacity.created(region);
      namesAsked.remove(action.on());
    }
    if (action.kind() == ActionKind.RETAG) holdOff(action, now.plus(LATER));
  }

  private void flyFailed(Action action, FlyTrouble.Kind kind, Policy.Trust limits, Instant now) {
    if (kind == FlyTrouble.Kind.UNSURE) return;
    holdOff(action, now.plus(pause(action, kind)));
    if (action.kind() == ActionKind.CREATE && tellsOfCapacity(kind)) {
      capacity = capacity.failed(region, luck.getAsDouble(), limits, now);
    }
  }

  private static Duration pause(Action action, FlyTrouble.Kind kind) {
    return switch (kind) {
      case BUSY, GONE, UNSURE -> SOON;
      case NO_CAPACITY, LIMITED, UNAVAILABLE -> LATER;
      case HOST_FULL -> action.kind() == ActionKind.START ? HOST_FULL : LATER;
      case DENIED -> MUCH_LATER;
    };
  }

  /** Too many calls of our own say nothing about the region. */
  private static boolean tellsOfCapacity(FlyTrouble.Kind kind) {
    return kind != FlyTrouble.Kind.LIMITED && kind != FlyTrouble.Kind.BUSY;
  }

  /** A Machine that Fly has made or started is there, whatever the store could hear of it. */
  private void storeFailed(Action action, StoreTrouble.Kind kind, Instant now) {
    boolean mayHaveBeenDone =
        kind == StoreTrouble.Kind.UNSURE
            || action.kind() == ActionKind.CREATE
            || action.kind() == ActionKind.START;
    if (!mayHaveBeenDone) holdOff(action, now.plus(SOON));
  }

  private void holdOff(Action action, Instant until) {
    expectations = expectations.failed(action, until);
  }
}
