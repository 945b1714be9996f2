// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.ProbeSchedule;
import cupbear.scheduler.core.ProbeSchedule.Asked;
import cupbear.scheduler.core.ProbeSchedule.Due;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the probes know, per Machine and boot. A new boot starts from nothing; a Machine that a new
 * leader finds in service counts as proven by somebody.
 */
final class HealthBook {
  /** A probe that has not come back by then never will. */
  private static final Duration PROBE_LOST_AFTER = Duration.ofSeconds(60);

  private static final Due NEVER = new Due(Need.GUACD, Instant.MAX);

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

    /** What is to be asked next, as reckoned for this standing; null when that has changed. */
    @Nullable Due next;

    @Nullable Standing reckonedFor;

    Pulse(Instant bootedAt, Health health, Asked asked) {
      this.bootedAt = bootedAt;
      this.health = health;
      this.asked = asked;
    }
  }

  private final Map<MachineId, Pulse> pulses = new HashMap<>();

  /** Nothing is to be asked before this, unless the book or the settings change. */
  private Instant probeAt = Instant.MIN;

  private Ledger.@Nullable View lookedAt;
  private @Nullable Policy lookedWith;

  /** There may be proofs that the store has not heard of. */
  private boolean news = true;

  private Ledger.@Nullable View vouchedFor;

  Health of(Booked machine) {
    return pulse(machine).health;
  }

  void forget() {
    pulses.clear();
    probeAt = Instant.MIN;
    news = true;
  }

  void keepOnly(Set<MachineId> ids) {
    pulses.keySet().retainAll(ids);
  }

  /** The probes that are due now, for Machines that have none under way; takes note of them. */
  @SuppressWarnings("ReferenceEquality") // the same object is the same book: see Ledger.View
  void due(Ledger.View book, Policy policy, Instant now, Consumer<Effect> out) {
    boolean changed = book != lookedAt || policy != lookedWith;
    if (!changed && now.isBefore(probeAt)) return;
    if (policy != lookedWith) pulses.values().forEach(pulse -> pulse.next = null);
    lookedAt = book;
    lookedWith = policy;
    Instant next = Instant.MAX;
    for (Booked machine : book.all()) {
      Instant at = ask(machine, policy, now, out);
      if (at.isBefore(next)) next = at;
    }
    probeAt = next;
  }

  /** When there is to be a probe next, by what is known now. */
  Instant probeAt() {
    return probeAt;
  }

  /** Asks if it is due; says when this Machine is to be looked at again. */
  private Instant ask(Booked machine, Policy policy, Instant now, Consumer<Effect> out) {
    String address = machine.address();
    Standing standing = machine.state().standing();
    if (address == null) return Instant.MAX;
    Pulse pulse = pulse(machine);
    if (pulse.askedAt != null) {
      Instant lost = pulse.askedAt.plus(PROBE_LOST_AFTER);
      if (lost.isAfter(now)) return lost;
    }
    Due due = next(pulse, machine.id(), standing, policy);
    if (due.at().isAfter(now)) return due.at();
    pulse.askedAt = now;
    pulse.need = due.need();
    out.accept(new Effect.Probe(machine.id(), machine.bootedAt(), address, depth(due.need())));
    return now.plus(PROBE_LOST_AFTER);
  }

  private static Due next(Pulse pulse, MachineId machine, Standing standing, Policy policy) {
    Due known = pulse.next;
    if (known != null && pulse.reckonedFor == standing) return known;
    Due due =
        ProbeSchedule.next(machine, standing, pulse.health, pulse.asked, policy).orElse(NEVER);
    pulse.next = due;
    pulse.reckonedFor = standing;
    return due;
  }

  /** An answer came; false when it is about a boot that is over. */
  boolean take(Event.Probed probed, Instant now) {
    Pulse pulse = pulses.get(probed.machine());
    if (pulse == null || !pulse.bootedAt.equals(probed.bootedAt())) return false;
    pulse.askedAt = null;
    pulse.next = null;
    probeAt = Instant.MIN;
    Probes.Answer answer = probed.answer();
    boolean healthy = answer.verdict() == Verdict.HEALTHY;
    pulse.asked = pulse.asked.with(pulse.need, healthy, now);
    pulse.health = Strikes.after(pulse.health, answer.verdict(), now);
    if (healthy) {
      pulse.guacdAt = now;
      if (answer.depth() != Probes.Depth.GUACD) pulse.rdpAt = now;
      pulse.toVouch = true;
      news = true;
    }
    return true;
  }

  /** The newest evidence of this boot; empty before both questions were answered well. */
  Optional<Proof> proof(Booked machine) {
    Pulse pulse = pulse(machine);
    if (pulse.guacdAt == null || pulse.rdpAt == null) return Optional.empty();
    return Optional.of(new Proof(machine.id(), machine.bootedAt(), pulse.guacdAt, pulse.rdpAt));
  }

  /** Is there anything that {@link #toVouch} would have to look at? */
  @SuppressWarnings("ReferenceEquality") // the same object is the same book: see Ledger.View
  boolean hasNews(Ledger.View book) {
    return news || book != vouchedFor;
  }

  /** Proofs of warm Machines that are younger than what the store has; taken once. */
  List<Proof> toVouch(Ledger.View book) {
    if (!hasNews(book)) return List.of();
    news = false;
    vouchedFor = book;
    List<Proof> proofs = new ArrayList<>();
    for (Booked machine : book.all()) {
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
