// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.Readiness;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which proving Machines are ready, and who has been told; between passes, because people wait. */
final class Proving {
  /** The store said no, or could not answer: whatever is the matter takes a moment. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** An answer that has not come by then never will. */
  private static final Duration ANSWER_LOST_AFTER = Duration.ofSeconds(10);

  private final HealthBook health;
  private final Intentions intentions;
  private final Map<MachineId, Instant> notBefore = new HashMap<>();
  private final Set<MachineId> held = new HashSet<>();

  Proving(HealthBook health, Intentions intentions) {
    this.health = health;
    this.intentions = intentions;
  }

  /** The word to the store that this Machine is ready, if it is; takes note of it. */
  Optional<Effect.Prove> due(
      Machine machine, Booked booked, Desired desired, Policy policy, Instant now) {
    Instant wait = notBefore.get(machine.id());
    if (wait != null && wait.isAfter(now)) return Optional.empty();
    if (wait != null) notBefore.remove(machine.id());
    if (!Readiness.mayTurnWarm(machine, desired, policy.probing())) return Optional.empty();
    if (desired.cordoned().contains(machine.id())) return Optional.empty();
    // Credentials on their way would not be those that the store has.
    if (intentions.isUnderWay(ActionKind.STAGE, machine.id().value(), now)) return Optional.empty();
    return health
        .proof(booked)
        .map(proof -> {
          notBefore.put(machine.id(), now.plus(ANSWER_LOST_AFTER));
          return new Effect.Prove(proof);
        });
  }

  /** When to think of one of these again, if nothing happens before. */
  Instant next(List<Booked> machines) {
    Instant next = Instant.MAX;
    for (Booked machine : machines) {
      Instant at = notBefore.getOrDefault(machine.id(), Instant.MAX);
      if (at.isBefore(next)) next = at;
    }
    return next;
  }

  void ended(Proof proof, @Nullable ProveResult result, Instant now) {
    if (result instanceof ProveResult.Warm || result instanceof ProveResult.Granted) {
      notBefore.remove(proof.machine());
      return;
    }
    Instant again = now.plus(AGAIN);
    if (result instanceof ProveResult.Held until && until.until().isAfter(again)) {
      held.add(proof.machine());
      again = until.until();
    }
    notBefore.put(proof.machine(), again);
  }

  void keepOnly(Set<MachineId> ids) {
    notBefore.keySet().retainAll(ids);
    held.retainAll(ids);
  }

  /** The store gives out again: what it held back may be told anew. */
  void release() {
    held.forEach(notBefore::remove);
    held.clear();
  }
}
