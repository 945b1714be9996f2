// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a healthy answer changes: {@code prove.lua} and {@code vouch.lua}. */
final class Trusting {
  private final Step step;
  private final PoolState pool;

  Trusting(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  ProveResult prove(Mandate mandate, Proof proof, Terms terms) {
    MachineRow row = pool.machine(proof.machine());
    if (row == null || !row.region.equals(mandate.region())) {
      return new ProveResult.Refused(null, "not in the book of " + mandate.region());
    }
    if (row.standing() != Standing.PROVING) {
      return new ProveResult.Refused(row.standing(), "it is " + row.standing().word());
    }
    if (!proof.bootedAt().equals(row.bootedAt)) {
      return new ProveResult.Refused(row.standing(), "the evidence is about another boot");
    }
    if (row.address == null) {
      return new ProveResult.Refused(row.standing(), "its address is not known");
    }
    Generation generation = pool.generation;
    if (generation != null && generation.open) return new ProveResult.Held(generation.heldUntil);
    return warm(row, proof, terms);
  }

  private ProveResult warm(MachineRow row, Proof proof, Terms terms) {
    row.proof = notFromTheFuture(proof);
    row.become(new MachineState.Warm(step.now));
    step.note(EntryKind.MACHINE_PROVEN, row, "its probes are healthy");
    Optional<Grant> grant = new Granting(step).offer(row, terms);
    return grant.<ProveResult>map(ProveResult.Granted::new).orElseGet(ProveResult.Warm::new);
  }

  void vouch(Mandate mandate, List<Proof> proofs) {
    for (Proof proof : proofs) {
      MachineRow row = pool.machine(proof.machine());
      boolean fits =
          row != null
              && row.standing() == Standing.WARM
              && row.region.equals(mandate.region())
              && proof.bootedAt().equals(row.bootedAt);
      if (row == null || !fits) continue;
      row.proof = younger(row.proof == null ? proof : row.proof, notFromTheFuture(proof));
      if (pool.shelf.contains(row.id)) pool.shelf.put(row, step.rules);
    }
  }

  private static Proof younger(Proof a, Proof b) {
    return new Proof(
        a.machine(), a.bootedAt(), later(a.guacdAt(), b.guacdAt()), later(a.rdpAt(), b.rdpAt()));
  }

  /** A replica whose clock is ahead must not buy trust with it. */
  private Proof notFromTheFuture(Proof proof) {
    return new Proof(
        proof.machine(),
        proof.bootedAt(),
        Granting.earlier(proof.guacdAt(), step.now),
        Granting.earlier(proof.rdpAt(), step.now));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
