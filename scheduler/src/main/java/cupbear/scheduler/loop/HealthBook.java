// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.ProbeSchedule;
import cupbear.scheduler.core.ProbeSchedule.Asked;
import cupbear.scheduler.core.ProbeSchedule.Need;
import cupbear.scheduler.core.Strikes;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the probes know, per Machine and boot. A new boot starts from nothing; a Machine that a new
 * leader finds in service counts as proven by somebody.
 */
final class HealthBook {
  /** A probe that has not come back by then never will. */
  private static final Duration PROBE_LOST_AFTER = Duration.ofSeconds(60);

  /** One boot of one Machine. */
  private static final class Pulse {
    final Instant bootedAt;
    Health health;
    Asked asked;
    @Nullable Instant guacdAt;
    @Nullable Instant rdpAt;
    @Nullable Instant askedAt;
    Need need = Need.GUACD;
    boolean toVouch;

    Pulse(Instant bootedAt, Health health, Asked asked) {
      this.bootedAt = bootedAt;
      this.health = health;
      this.asked = asked;
    }
  }

  private final Map<MachineId, Pulse> pulses = new HashMap<>();

  Health of(Booked machine) {
    return pulse(machine).health;
  }

  void forget() {
    pulses.clear();
  }

  void keepOnly(Set<MachineId> ids) {
    pulses.keySet().retainAll(ids);
  }

  /** The probe that this Machine should have now, if none is under way; takes note of it. */
  Optional<Effect.Probe> due(Booked machine, Policy.Probing probing, Instant now) {
    String address = machine.address();
    if (address == null) return Optional.empty();
    Pulse pulse = pulse(machine);
    if (pulse.askedAt != null && pulse.askedAt.plus(PROBE_LOST_AFTER).isAfter(now)) {
      return Optional.empty();
    }
    Standing standing = machine.state().standing();
    return ProbeSchedule.next(machine.id(), standing, pulse.health, pulse.asked, probing)
        .filter(due -> !due.at().isAfter(now))
        .map(due -> {
          pulse.askedAt = now;
          pulse.need = due.need();
          return new Effect.Probe(machine.id(), machine.bootedAt(), address, depth(due.need()));
        });
  }

  /** An answer came; false when it is about a boot that is over. */
  boolean take(Event.Probed probed, Instant now) {
    Pulse pulse = pulses.get(probed.machine());
    if (pulse == null || !pulse.bootedAt.equals(probed.bootedAt())) return false;
    pulse.askedAt = null;
    Probes.Answer answer = probed.answer();
    boolean healthy = answer.verdict() == Verdict.HEALTHY;
    pulse.asked = pulse.asked.with(pulse.need, healthy, now);
    pulse.health = Strikes.after(pulse.health, answer.verdict(), now);
    if (healthy) {
      pulse.guacdAt = now;
      if (answer.depth() != Probes.Depth.GUACD) pulse.rdpAt = now;
      pulse.toVouch = true;
    }
    return true;
  }

  /** The newest evidence of this boot; empty before both questions were answered well. */
  Optional<Proof> proof(Booked machine) {
    Pulse pulse = pulse(machine);
    if (pulse.guacdAt == null || pulse.rdpAt == null) return Optional.empty();
    return Optional.of(new Proof(machine.id(), machine.bootedAt(), pulse.guacdAt, pulse.rdpAt));
  }

  /** Proofs of warm Machines that are younger than what the store has; taken once. */
  List<Proof> toVouch(Collection<Booked> machines) {
    List<Proof> proofs = new ArrayList<>();
    for (Booked machine : machines) {
      Pulse pulse = pulse(machine);
      if (!pulse.toVouch || machine.state().standing() != Standing.WARM) continue;
      if (Strikes.isDoubtful(pulse.health)) continue;
      proof(machine)
          .ifPresent(proof -> {
            pulse.toVouch = false;
            proofs.add(proof);
          });
    }
    return proofs;
  }

  private Pulse pulse(Booked machine) {
    Pulse known = pulses.get(machine.id());
    if (known != null && known.bootedAt.equals(machine.bootedAt())) return known;
    Pulse fresh = begin(machine);
    pulses.put(machine.id(), fresh);
    return fresh;
  }

  private static Pulse begin(Booked machine) {
    Proof proof = machine.proof();
    boolean ofThisBoot = proof != null && proof.bootedAt().equals(machine.bootedAt());
    Standing standing = machine.state().standing();
    boolean served = standing == Standing.WARM || standing == Standing.ASSIGNED;
    Health health = served || ofThisBoot ? Health.TAKEN_OVER : Health.UNKNOWN;
    if (proof == null || !ofThisBoot) {
      return new Pulse(machine.bootedAt(), health, Asked.NOTHING);
    }
    Asked asked = new Asked(proof.guacdAt(), proof.rdpAt(), served);
    Pulse pulse = new Pulse(machine.bootedAt(), health, asked);
    pulse.guacdAt = proof.guacdAt();
    pulse.rdpAt = proof.rdpAt();
    return pulse;
  }

  private static Probes.Depth depth(Need need) {
    return switch (need) {
      case GUACD -> Probes.Depth.GUACD;
      case FULL -> Probes.Depth.FULL;
      case FIRST -> Probes.Depth.FIRST;
    };
  }
}
