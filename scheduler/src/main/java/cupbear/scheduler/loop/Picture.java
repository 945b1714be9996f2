// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.BootTimes;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.RegionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the loop knows, put together: each Machine as the store, Fly and the probes have it, and the
 * whole of it as one observation to decide upon. Holds nothing of its own.
 */
final class Picture {
  /** Where the parts of it come from. */
  record Parts(
      Sightings sightings,
      HealthBook health,
      DemandBook demand,
      Intentions intentions,
      BootBook boots) {}

  private final Mandate mandate;
  private final Ledger ledger;
  private final Parts parts;

  Picture(Mandate mandate, Ledger ledger, Parts parts) {
    this.mandate = mandate;
    this.ledger = ledger;
    this.parts = parts;
  }

  List<Machine> machines() {
    List<Machine> machines = new ArrayList<>(ledger.machines().size());
    for (Booked booked : ledger.machines()) machines.add(machine(booked));
    return machines;
  }

  Machine machine(Booked booked) {
    return new Machine(
        booked.id(),
        booked.name(),
        booked.template(),
        booked.keep(),
        booked.bootedAt(),
        booked.state(),
        parts.sightings().of(booked.id()),
        parts.health().of(booked));
  }

  Observed of(List<Machine> machines, Declaration declaration, Instant now) {
    return new Observed(
        mandate.pool(),
        mandate.region(),
        parts.sightings().listing(ledger.bookedAt()),
        machines,
        parts.sightings().strays(ledger.ids()),
        parts.sightings().foreign(),
        parts.intentions().list(),
        parts.demand().demand(declaration.policy().sizing(), now),
        parts.intentions().capacity(),
        parts.boots().figures(declaration.desired().template().version()));
  }

  RegionStatus status(Plan plan, Observed seen, Policy policy, Instant now) {
    int unhealthy = 0;
    for (Machine each : seen.machines()) if (each.health().strikes() > 0) unhealthy++;
    return new RegionStatus(
        mandate.pool(),
        mandate.region(),
        now,
        plan.target(),
        plan.counts(),
        parts.demand().waiting(),
        unhealthy,
        plan.unmet(),
        BootTimes.leadTime(seen.boot(), policy.sizing()),
        ledger.marks().paused(),
        plan.findings());
  }
}
